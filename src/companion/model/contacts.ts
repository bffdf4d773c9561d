import { type Address } from 'viem';

import { isSameAddress } from '../../core/eth/address';
import { listOf, stored } from './stored';

/** Somebody the person sends to. Kept by this page, in this browser. */
export type Contact = { readonly name: string; readonly address: Address };

const isContact = (entry: unknown): entry is Contact => {
  const { name, address } = (entry ?? {}) as Partial<Record<keyof Contact, unknown>>;
  return typeof name === 'string' && name !== '' && /^0x[0-9a-f]{40}$/iu.test(String(address));
};

export const contacts = stored('keystead.contacts', listOf(isContact), []);

/** Adds a contact, or renames the one with this address. */
export function saveContact(contact: Contact): void {
  const others = contacts.read().filter(({ address }) => !isSameAddress(address, contact.address));
  contacts.write([...others, contact].sort((a, b) => a.name.localeCompare(b.name)));
}

export function removeContact({ address }: Contact): void {
  contacts.write(contacts.read().filter((other) => !isSameAddress(other.address, address)));
}
