import { KINDS } from '../erc4337/kinds';
import { isSmart, type AccountEntry } from '../keyring/account';

/** @returns What an account is called on a screen: its label if it has one, and what it is. */
export function accountName(stored: AccountEntry): string {
  const { label } = stored.account.options;
  const kind = isSmart(stored)
    ? `${KINDS[stored.smart.kind].title} on ${stored.account.scopes.join(', ')}`
    : 'Externally owned account';
  return typeof label === 'string' ? `${label} (${kind})` : kind;
}
