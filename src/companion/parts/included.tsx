import { type VNode } from 'preact';
import { type Hash } from 'viem';

import { explorerLink } from '../../core/networks/network';
import { shortAddress } from '../model/account-name';
import { inclusionOf } from '../model/inclusion';
import { networkOfChain } from '../model/network';
import { linkTo } from '../model/route';
import { useHasWallet } from '../model/session';
import { type Chain } from '../model/types';
import { formatAmount } from '../model/units';
import { useLookup } from '../model/use-lookup';

type Props = {
  readonly chain: Chain;
  /** The address that sent it. */
  readonly account: string;
  readonly hash: Hash;
};

/** Shows how something that was sent was included: the block, the fee and who paid it, and where to see it. */
export function Included({ chain, account, hash }: Props): VNode {
  const { value } = useLookup(() => inclusionOf(chain, account, hash), [chain.rpcUrl, hash]);
  const operation = value?.operations[0];
  const hasWallet = useHasWallet();
  const external = explorerLink(networkOfChain(chain), 'tx', hash);
  return (
    <>
      {value === undefined ? null : (
        <p>
          In block {String(value.block)}
          {operation === undefined ? '' : ', as one user operation'}. Network fee: {formatAmount(value.fee)}{' '}
          {networkOfChain(chain).symbol}
          {value.payer === undefined ? '' : `, paid by the ${value.payer}`}
          {operation?.paymaster === undefined ? '' : ` ${shortAddress(operation.paymaster)}`}.
        </p>
      )}
      <div class="actions">
        {operation === undefined || !hasWallet ? null : (
          <a class="button small" href={linkTo('explorer', 'operation', operation.hash)}>
            View user operation
          </a>
        )}
        {external === undefined && !hasWallet ? null : (
          <a class="button small" href={external ?? linkTo('explorer', 'transaction', hash)}>
            View transaction
          </a>
        )}
      </div>
    </>
  );
}
