import { type VNode } from 'preact';

import { describeAccount } from '../model/describe-account';
import { type Account } from '../model/types';
import { Choice } from './field';

type Props = {
  readonly label: string;
  readonly accounts: readonly Account[];
  /** The address selected at first. Defaults to the first account. */
  readonly value?: string | undefined;
};

/** Selects one of the accounts. */
export function AccountChoice({ label, accounts, value }: Props): VNode {
  // Select the option rather than set the list’s value: that would undo the person’s choice at every render.
  return (
    <Choice label={label} name="account">
      {accounts.length === 0 ? <option value="">No account can sign this</option> : null}
      {accounts.map((account) => (
        <option key={account.id} value={account.address} selected={account.address === value}>
          {describeAccount(account)} · {account.address.slice(0, 8)}…{account.address.slice(-4)}
        </option>
      ))}
    </Choice>
  );
}
