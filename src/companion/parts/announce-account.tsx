import { type VNode } from 'preact';

import { useSession } from '../model/session';
import { type Account } from '../model/types';
import { ActionLine } from './action-button';
import { Panel } from './panel';
import { Party } from './party';

/** Gives the wallet an account that it lacks. The wallet asks first, unless it has the account. */
export function AnnounceAccount({ account }: { readonly account: Account }): VNode {
  const { client, refresh } = useSession();
  const name = account.name;
  const wallet = client.wallet.isSimulated ? 'the wallet' : client.wallet.name;
  return (
    <ActionLine
      work={async () => {
        await client.dapp('keystead_announceAccount', { id: account.id });
        await refresh();
        return `${name} is in ${wallet}.`;
      }}
    >
      Add to {wallet} again<span class="visually-hidden">: {name}</span>
    </ActionLine>
  );
}

/** The accounts that the wallet lacks, as far as Keystead knows. */
export function MissingAccounts(): VNode | null {
  const { client, accounts, unannounced } = useSession();
  const missing = accounts.filter(({ id }) => unannounced.includes(id));
  if (missing.length === 0) return null;
  const { isSimulated, name } = client.wallet;
  return (
    <Panel id="missing" title={`Not in ${isSimulated ? 'the wallet' : name}`} class="panel highlight">
      <p>
        {isSimulated ? 'The wallet' : name} did not confirm {missing.length === 1 ? 'this account' : 'these accounts'},
        so sites cannot use {missing.length === 1 ? 'it' : 'them'}.
      </p>
      <ul class="plain" aria-label="Accounts to add again">
        {missing.map((account) => (
          <li key={account.id}>
            <Party address={account.address} name={account.name} />
            <AnnounceAccount account={account} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
