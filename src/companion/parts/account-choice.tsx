import { type VNode } from 'preact';

import { describeAccount } from '../model/describe-account';
import { type Account } from '../model/types';
import { Choice } from './field';

type Props = {
  readonly label: string;
  readonly accounts: readonly Account[];
  /** The address that is chosen at first, if it is one of them; else the first is. */
  readonly value?: string | undefined;
};

/** Which of some accounts. */
export function AccountChoice({ label, accounts, value }: Props): VNode {
  // Chosen by its option: the value of the list itself would be set again whenever the page is drawn.
  return (
    <Choice label={label} name="account">
      {accounts.length === 0 ? <option value="">No account can do this</option> : null}
      {accounts.map((account) => (
        <option key={account.id} value={account.address} selected={account.address === value}>
          {describeAccount(account)} · {account.address.slice(0, 8)}…{account.address.slice(-4)}
        </option>
      ))}
    </Choice>
  );
}
