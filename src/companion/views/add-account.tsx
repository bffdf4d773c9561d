import { type VNode } from 'preact';

import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { CreateAccount } from '../parts/create-account';
import { ImportAccount } from '../parts/import-account';
import { OpenSafe } from '../parts/open-safe';
import { RecoverAccounts } from '../parts/recover-accounts';

const open = (address: string): void => {
  location.hash = linkTo('account', address);
};

/** Creates, imports or recovers accounts. What is new opens. */
export function AddAccount(): VNode {
  const { accounts } = useSession();
  return (
    <>
      <h1>Add an account</h1>
      <CreateAccount onCreated={open} />
      <RecoverAccounts />
      <ImportAccount onImported={open} />
      <OpenSafe />
      {accounts.length === 0 ? null : <a href={linkTo('home')}>Back to your accounts</a>}
    </>
  );
}
