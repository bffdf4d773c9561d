import { type VNode } from 'preact';
import { type Address } from 'viem';

import { networkOfChain } from '../model/network';
import { nodeOf } from '../model/node';
import { linkTo } from '../model/route';
import { readSafeOwners } from '../model/safe';
import { isOnChain } from '../model/usable';
import { useSession } from '../model/session';
import { type Account, type Chain } from '../model/types';
import { counted } from '../model/units';
import { useLookup } from '../model/use-lookup';
import { Panel } from './panel';

function OwnersOnChain({ account, chain }: { readonly account: Account; readonly chain: Chain }): VNode {
  const { value, error, isBusy } = useLookup(
    () => readSafeOwners(nodeOf(chain), account.address as Address),
    [account.address, chain.chainId, chain.rpcUrl],
  );
  const text = isBusy
    ? '…'
    : (error ??
      (value === undefined
        ? 'Not on this network yet. Its first transaction puts it there, with this account’s own key as the only owner.'
        : `${counted(value.owners.length, 'owner')}, ${value.threshold} of ${value.owners.length} must sign`));
  return (
    <li>
      <span>{networkOfChain(chain).name}</span> <strong>{text}</strong>
      {isBusy || error !== undefined ? null : (
        <a class="button small" href={linkTo('owners', account.address, chain.chainId)}>
          Owners<span class="visually-hidden"> on {networkOfChain(chain).name}</span>
        </a>
      )}
    </li>
  );
}

/** On the page of a Safe: who owns it on each network. */
export function AccountOwners({ account }: { readonly account: Account }): VNode {
  const { chains } = useSession();
  return (
    <Panel id="owners" title="Owners">
      <p class="hint">
        An account with several owners can survive the loss of one of them, if not all must sign. Each network has its
        own list of owners.
      </p>
      <ul class="balances" aria-label="Owners by network">
        {chains
          .filter((chain) => isOnChain(account, chain))
          .map((chain) => (
            <OwnersOnChain key={chain.chainId} account={account} chain={chain} />
          ))}
      </ul>
      <div class="actions">
        <a class="button" href={linkTo('proposals')}>
          Proposals
        </a>
      </div>
    </Panel>
  );
}
