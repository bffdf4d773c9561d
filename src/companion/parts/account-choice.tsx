import { type VNode } from 'preact';

import { shortAddress } from '../model/account-name';
import { type Account } from '../model/types';
import { Choice } from './field';

type Props = {
  readonly label: string;
  readonly accounts: readonly Account[];
  /** The address selected at first. Defaults to the first account. */
  readonly value?: string | undefined;
  readonly onChange?: (address: string) => void;
};

/** Selects one of the accounts. */
export function AccountChoice({ label, accounts, value, onChange }: Props): VNode {
  // Select the option rather than set the list’s value: that would undo the person’s choice at every render.
  return (
    <Choice label={label} name="account" {...(onChange && { onChange })}>
      {accounts.length === 0 ? <option value="">No account can sign this</option> : null}
      {accounts.map((account) => (
        <option key={account.id} value={account.address} selected={account.address === value}>
          {account.name} · {shortAddress(account.address)}
        </option>
      ))}
    </Choice>
  );
}
