import { type VNode } from 'preact';

import { useSession } from '../model/session';
import { AccountCard } from '../parts/account-card';
import { Empty } from '../parts/empty';
import { CreateAccount } from '../parts/create-account';
import { RecoverAccounts } from '../parts/recover-accounts';

/** Lists the accounts, and creates or recovers more. */
export function Accounts(): VNode {
  const { accounts } = useSession();
  return (
    <>
      <h1>Accounts</h1>
      {accounts.length === 0 ? (
        <Empty title="No accounts yet">
          <p>Create your first account below. Your wallet’s recovery phrase restores it, at the same address.</p>
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
