import { type VNode } from 'preact';

import { isSmart } from '../model/account-name';
import { networkOfChain } from '../model/network';
import { nodeOf } from '../model/node';
import { assetsOf, creationCostOf, feeOf, isSponsored, payerText, shortageOf, type Transfer } from '../model/send';
import { useSession } from '../model/session';
import { type Chain } from '../model/types';
import { type Usable } from '../model/usable';
import { formatAmount } from '../model/units';
import { useChainTokens } from '../model/use-chain-tokens';
import { useLookup } from '../model/use-lookup';
import { usePortfolio } from '../model/use-portfolio';
import { BackButton } from './action-button';
import { Facts } from './facts';
import { Warning } from './icons';
import { Party } from './party';

type Props = {
  readonly chain: Chain;
  readonly from: Usable;
  readonly transfers: readonly Transfer[];
  readonly onBack: () => void;
  readonly onSend: () => void;
};

/** Shows what will be sent, before the wallet is asked. */
export function SendReview({ chain, from, transfers, onBack, onSend }: Props): VNode {
  const { account } = from;
  const tokens = useChainTokens(chain);
  const { portfolio } = usePortfolio(chain, [account], tokens);
  const { client } = useSession();
  const mayUse = useLookup(() => client.mayUse(account.address), [account.address]);
  const fee = useLookup(() => feeOf(transfers, account, nodeOf(chain)), [transfers, account.id]);
  const creation = useLookup(() => creationCostOf(transfers, account, nodeOf(chain)), [transfers, account.id]);
  const { name, symbol } = networkOfChain(chain);
  const assets = assetsOf(chain, tokens);
  const shortage = shortageOf(transfers, assets, portfolio?.[account.address.toLowerCase()]);
  const toItself = transfers.some(({ recipient }) => recipient.address === account.address);
  const feeText = isSponsored(from, chain)
    ? 'Paid by the network’s paymaster service'
    : isSmart(account) || chain.paymasterUrl !== undefined
      ? `Keystead shows it before you approve. ${payerText(from, chain)}`
      : fee.isBusy
        ? '…'
        : fee.value === undefined
          ? 'The network cannot estimate it: this may fail'
          : `up to ${formatAmount(fee.value)} ${symbol}`;
  return (
    <section class="panel" aria-labelledby="review">
      <h2 id="review" tabIndex={-1}>
        Review
      </h2>
      {transfers.map(({ recipient, token, amount, call }, index) => (
        <div class="item" key={index}>
          {transfers.length === 1 ? null : <h3>Call {index + 1}</h3>}
          <Facts
            facts={[
              [
                'You send',
                <strong>
                  {formatAmount(amount, token?.decimals)} {token?.symbol ?? symbol}
                </strong>,
              ],
              ['To', <Party address={recipient.address} name={recipient.name} />],
              [
                'Data',
                token === undefined && call.data !== '0x' ? <code class="address">{call.data}</code> : undefined,
              ],
            ]}
          />
        </div>
      ))}
      <Facts
        facts={[
          ['From', <Party address={account.address} name={account.name} />],
          ['Network', name],
          ['Network fee', feeText],
        ]}
      />
      {creation.value === undefined || creation.value === 0n || isSponsored(from, chain) ? null : (
        <p class="hint" role="status">
          Creating {transfers.length === 1 ? 'this account' : 'new accounts'} on the network costs about{' '}
          {formatAmount(creation.value)} {symbol}, as part of the network fee.
        </p>
      )}
      {shortage === undefined ? null : <Warning role="status">{shortage} It would fail.</Warning>}
      {toItself ? <Warning role="status">The account sends to itself.</Warning> : null}
      <div class="actions">
        <button type="button" class="main" onClick={onSend}>
          {transfers.length === 1 ? 'Send' : `Send ${transfers.length} calls`}
        </button>
        <BackButton onBack={onBack} />
      </div>
      <p class="hint">
        {mayUse.value === false
          ? `Keystead first asks whether this page may use ${account.name}. Then it explains what you send once more, and asks you before it signs.`
          : 'Keystead explains it once more, and asks you before it signs.'}
      </p>
    </section>
  );
}
