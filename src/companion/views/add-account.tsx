import { type VNode } from 'preact';

import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { CreateAccount } from '../parts/create-account';
import { ImportAccount } from '../parts/import-account';
import { RecoverAccounts } from '../parts/recover-accounts';

/** Creates, imports or recovers accounts. */
export function AddAccount(): VNode {
  const { accounts } = useSession();
  return (
    <>
      <h1>Add an account</h1>
      <CreateAccount />
      <RecoverAccounts />
      <ImportAccount />
      {accounts.length === 0 ? null : <a href={linkTo('home')}>Back to your accounts</a>}
    </>
  );
}
