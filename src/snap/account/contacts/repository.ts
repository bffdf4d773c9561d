import { isSameAddress } from '../../../core/eth/address';
import { type Hex } from '../../../core/eth/bytes';
import { type Contact, ContactStruct } from '../../../core/accounts/contact';
import { array } from '../../../core/structs/struct';
import { type StateStore, StoredList } from '../../wallet/state';

/** The maximum number of contacts. */
export const MAX_CONTACTS = 500;

export const ContactsStruct = array(ContactStruct);

/** @returns The contacts with others added, which replace those at the same addresses. */
export const withContacts = (before: readonly Contact[], added: readonly Contact[]): readonly Contact[] => [
  ...before.filter(({ address }) => !added.some((one) => isSameAddress(one.address, address))),
  ...added,
];

/** The people that the user knows by name. Unreadable entries are dropped. */
export class ContactRepository extends StoredList<Contact> {
  /** @param store - A store at the current schema version; see {@link CheckedState}. */
  constructor(store: StateStore) {
    super(store, 'contacts', ContactStruct);
  }

  /** @returns The names, by lower-case address. */
  async names(): Promise<Readonly<Record<string, string>>> {
    return Object.fromEntries((await this.read()).map(({ address, name }) => [address.toLowerCase(), name]));
  }

  put(added: readonly Contact[]): Promise<void> {
    return this.change((before) => withContacts(before, added));
  }

  /** Removing an address that is no contact is not an error. */
  async remove(address: Hex): Promise<void> {
    await this.change((before) => {
      const after = before.filter((one) => !isSameAddress(one.address, address));
      return after.length === before.length ? before : after;
    });
  }
}
