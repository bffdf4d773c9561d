import { type VNode } from 'preact';

import { useSession } from '../core/session';
import { describeAccount } from '../core/describe-account';
import { Choice } from './field';

type Props = { readonly label: string; readonly value?: string; readonly onChange?: (address: string) => void };

/** Which account. */
export function AccountChoice({ label, value, onChange }: Props): VNode {
  const { accounts } = useSession();
  return (
    <Choice
      label={label}
      name="account"
      {...(value !== undefined && { value })}
      {...(onChange !== undefined && { onChange })}
    >
      {accounts.map((account) => (
        <option key={account.id} value={account.address}>
          {describeAccount(account)} · {account.address.slice(0, 8)}…{account.address.slice(-4)}
        </option>
      ))}
    </Choice>
  );
}
