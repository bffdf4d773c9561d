import { type VNode } from 'preact';

import { describeAccount, isImported } from '../model/describe-account';
import { useSession } from '../model/session';
import { linkTo } from '../model/route';
import { type Account } from '../model/types';
import { shortEther } from '../model/units';
import { useAction } from '../model/use-action';
import { useBalances } from '../model/use-balances';
import { ActionStatus } from './action-status';
import { ExportKey } from './export-key';
import { RemoveButton } from './remove-button';
import { RenameAccount } from './rename-account';

async function askFaucet(address: string): Promise<string> {
  const response = await fetch('faucet', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address }),
  });
  if (!response.ok) throw new Error(`The faucet sent nothing (HTTP ${response.status}). Try again in a moment.`);
  return 'The faucet sent 10 test ETH.';
}

/** One account: its name, address, balances and actions. */
export function AccountCard({ account }: { readonly account: Account }): VNode {
  const { client, chains, devnet } = useSession();
  const action = useAction();
  const isSmart = account.type === 'eip155:erc4337';
  const accountChains = chains.filter(
    ({ chainId }) => !isSmart || (account.scopes as readonly string[]).includes(chainId),
  );
  const balances = useBalances(account.address, accountChains);
  const name = describeAccount(account);
  const canSign = (account.methods as readonly string[]).includes('personal_sign');
  const uses = [...(canSign ? [['sign', 'Sign'] as const] : []), ['send', 'Send'] as const];
  return (
    <li class="card">
      <h2>{name}</h2>
      <p class="address">{account.address}</p>
      <p class="hint">
        {isImported(account)
          ? 'Imported. Your recovery phrase does not restore this account, so back it up.'
          : 'Your recovery phrase restores this account.'}
      </p>
      <ul class="balances" aria-label={`Balances of ${name}`}>
        {accountChains.map(({ chainId }) => {
          const balance = balances[chainId];
          return (
            <li key={chainId}>
              <span>{chainId === devnet?.chain.chainId ? devnet.chain.name : chainId}</span>{' '}
              <strong>
                {balance === undefined
                  ? '…'
                  : typeof balance === 'bigint'
                    ? `${shortEther(balance)} ETH`
                    : 'unavailable'}
              </strong>
              {typeof balance === 'string' ? <span class="hint">{balance}</span> : null}
            </li>
          );
        })}
        {accountChains.length === 0 ? (
          <li class="hint">
            <a href={linkTo('settings')}>Add a network</a> to see the balance.
          </li>
        ) : null}
      </ul>
      <div class="actions">
        {uses.map(([view, verb]) => (
          <a key={view} class="button" href={linkTo(view, account.address)}>
            {verb}
            <span class="visually-hidden"> with {name}</span>
          </a>
        ))}
        {devnet === undefined ? null : (
          <button
            type="button"
            aria-disabled={action.isBusy}
            onClick={() => {
              action.run(() => askFaucet(account.address));
            }}
          >
            Get test ETH<span class="visually-hidden"> for {name}</span>
          </button>
        )}
        <RemoveButton
          action={action}
          verb="Delete"
          name={name}
          remove={() => client.keyring('keyring_deleteAccount', { id: account.id })}
        />
      </div>
      <ActionStatus action={action} />
      <RenameAccount account={account} />
      <ExportKey account={account} />
    </li>
  );
}
