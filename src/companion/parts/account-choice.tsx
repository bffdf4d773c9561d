import { type VNode } from 'preact';

import { shortAddress } from '../model/account-name';
import { type Account } from '../model/types';
import { Choice } from './choice';

type Props = {
  readonly label: string;
  readonly accounts: readonly Account[];
  /** The address selected at first. Defaults to the first account. */
  readonly value?: string | undefined;
  readonly onChange?: (address: string) => void;
};

/** Selects one of the accounts. */
export function AccountChoice({ label, accounts, value, onChange }: Props): VNode {
  return (
    <Choice
      label={label}
      name="account"
      value={value}
      onChange={onChange}
      options={
        accounts.length === 0
          ? [['', 'No account can sign this']]
          : accounts.map(({ address, name }) => [address, `${name} · ${shortAddress(address)}`])
      }
    />
  );
}
