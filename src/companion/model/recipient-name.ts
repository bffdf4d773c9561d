import { isSameAddress } from '../../core/eth/address';
import { type Contact } from './contacts';
import { type Account } from './types';

/** The addresses that the page knows by name. */
export type Known = { readonly accounts: readonly Account[]; readonly contacts: readonly Contact[] };

/** @returns What the page calls an address: the name of an own account, or of a contact. */
export function nameOf(address: string, { accounts, contacts }: Known): string | undefined {
  const own = accounts.find((account) => isSameAddress(account.address, address));
  return own === undefined ? contacts.find((contact) => isSameAddress(contact.address, address))?.name : own.name;
}
