import { type VNode } from 'preact';

import { useSession } from '../model/session';
import { AccountCard } from '../parts/account-card';
import { Empty } from '../parts/empty';
import { CreateAccount } from '../parts/create-account';
import { RecoverAccounts } from '../parts/recover-accounts';

/** The accounts, and how there come to be more of them. */
export function Accounts(): VNode {
  const { accounts } = useSession();
  return (
    <>
      <h1>Accounts</h1>
      {accounts.length === 0 ? (
        <Empty title="No account yet">
          <p>Create one below. It comes back from your wallet’s recovery phrase, with the same address.</p>
        </Empty>
      ) : (
        <ul class="cards" aria-label="Accounts">
          {accounts.map((account) => (
            <AccountCard key={account.id} account={account} />
          ))}
        </ul>
      )}
      <CreateAccount />
      <RecoverAccounts />
    </>
  );
}
