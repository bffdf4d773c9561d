import { type VNode } from 'preact';

import { accountKind, shortAddress } from '../model/account-name';
import { networkOfChain } from '../model/network';
import { type Holdings } from '../model/portfolio';
import { linkTo } from '../model/route';
import { isOnChain } from '../model/usable';
import { useSession } from '../model/session';
import { type Account, type Chain } from '../model/types';
import { formatAmount } from '../model/units';
import { useAction } from '../model/use-action';
import { ActionButton } from './action-button';
import { ActionStatus } from './action-status';
import { CopyButton } from './copy-button';
import { Icon } from './icons';
import { Identicon } from './identicon';
import { ReceiveButton } from './receive-button';

type Props = {
  readonly account: Account;
  readonly chain: Chain | undefined;
  readonly holdings: Holdings | undefined;
  readonly isUnavailable: boolean;
  /** Called when the faucet has sent something. */
  readonly onFunded: () => Promise<void>;
};

/** @returns Whether an account can be used on a network. */

function balanceText({ account, chain, holdings, isUnavailable }: Props): string {
  if (chain === undefined) return '';
  const { name, symbol } = networkOfChain(chain);
  if (!isOnChain(account, chain)) return `Not on ${name}`;
  if (holdings !== undefined) return `${formatAmount(holdings.coin)} ${symbol}`;
  return isUnavailable ? 'Unavailable' : '…';
}

/**
 * Asks the devnet's faucet, which this page's own server offers.
 *
 * @returns A message that says what arrived.
 * @throws If the faucet sent nothing.
 */
async function askFaucet(address: string): Promise<string> {
  const response = await fetch('faucet', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address }),
  });
  if (!response.ok) throw new Error(`The faucet sent nothing (HTTP ${response.status}). Try again in a moment.`);
  return 'The faucet sent 10 test ETH.';
}

/** One account: its picture, name, address and balance, and what to do with it. */
export function AccountRow(props: Props): VNode {
  const { account, onFunded } = props;
  const { devnet } = useSession();
  const action = useAction('Waiting for the faucet…');
  const { address } = account;
  const name = account.name;
  return (
    <li class="row account" data-address={address}>
      <Identicon address={address} />
      <div class="who">
        <h3>
          <a href={linkTo('account', address)}>{name}</a>
        </h3>
        <p class="hint">{accountKind(account)}</p>
        <p class="address-line">
          <span class="address" title={address}>
            {shortAddress(address)}
          </span>
          <CopyButton label={`address of ${name}`} value={address} />
        </p>
      </div>
      <strong class="balance">{balanceText(props)}</strong>
      <div class="row-actions">
        <a class="button small" href={linkTo('send', address)}>
          <Icon name="send" />
          Send<span class="visually-hidden"> with {name}</span>
        </a>
        <ReceiveButton account={account} style="small" />
        {devnet === undefined ? null : (
          <ActionButton
            action={action}
            class="small"
            work={async () => {
              const outcome = await askFaucet(address);
              await onFunded();
              return outcome;
            }}
          >
            <Icon name="faucet" />
            Get test ETH<span class="visually-hidden"> for {name}</span>
          </ActionButton>
        )}
      </div>
      <ActionStatus action={action} />
    </li>
  );
}
