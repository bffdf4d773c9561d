import { type Address } from 'viem';

import { isSameAddress } from '../../core/eth/address';
import { type SnapClient } from './snap-client';
import { listOf, stored } from './stored';

/** Somebody the person sends to. This page has a copy of the snap's contacts, for when no wallet is connected. */
export type Contact = {
  readonly name: string;
  readonly address: Address;
  /** The snap has it, so that its dialogs and backups do too. */
  readonly isInSnap?: true;
};

const isContact = (entry: unknown): entry is Contact => {
  const { name, address } = (entry ?? {}) as Partial<Record<keyof Contact, unknown>>;
  return typeof name === 'string' && name !== '' && /^0x[0-9a-f]{40}$/iu.test(String(address));
};

export const contacts = stored('keystead.contacts', listOf(isContact), []);

const byName = (all: readonly Contact[]): readonly Contact[] => [...all].sort((a, b) => a.name.localeCompare(b.name));

/** Adds a contact, or renames the one with this address, on this page alone. */
export function saveContact(contact: Contact): void {
  const others = contacts.read().filter(({ address }) => !isSameAddress(address, contact.address));
  contacts.write(byName([...others, contact]));
}

/** Copies the contacts of the snap to this page. Those that only this page has stay. */
async function copyContacts(client: SnapClient): Promise<void> {
  const inSnap = await client.dapp('keystead_getContacts');
  const here = contacts
    .read()
    .filter((one) => one.isInSnap !== true && !inSnap.some(({ address }) => isSameAddress(address, one.address)));
  contacts.write(byName([...here, ...inSnap.map((one) => ({ ...one, isInSnap: true as const }))]));
}

/** The same, if the snap answers: an older one has no contacts. */
export const readContacts = (client: SnapClient): Promise<void> => copyContacts(client).catch(() => undefined);

/** Saves contacts in the snap, which asks first, and on this page. */
export async function keepContacts(client: SnapClient, added: readonly Contact[]): Promise<void> {
  await client.dapp('keystead_saveContacts', { contacts: added.map(({ name, address }) => ({ name, address })) });
  await copyContacts(client);
}

export async function removeContact(client: SnapClient, { address, isInSnap }: Contact): Promise<void> {
  if (isInSnap === true) await client.dapp('keystead_removeContact', { address });
  contacts.write(contacts.read().filter((other) => !isSameAddress(other.address, address)));
}
