import { type Json } from '@metamask/snaps-sdk';

import { endsOf } from '../../core/decode/effects/recipients';
import { DamagedAccountError, NotFoundError } from '../../core/errors';
import { LruCache } from '../../core/lru-cache';
import { Remembered, type StateStore, Stored } from '../wallet/state';
import { type Hex, lowerCase } from '../../core/eth/bytes';
import { ACCOUNT_TYPES, type AccountEntry, accountId, type StoredAccount, StoredAccountStruct } from './account';
import { accountNames } from './account-name';
import { enums, type Infer, object } from '../../core/structs/struct';

/** Whether the snap asks again after MetaMask has asked. */
export const SettingsStruct = object({ confirmSignatures: enums(['never', 'always']) });
export type Settings = Infer<typeof SettingsStruct>;

const DEFAULT_SETTINGS: Settings = { confirmSignatures: 'never' };
/** Used if the settings cannot be read, since the user may have chosen this. */
const CAUTIOUS_SETTINGS: Settings = { confirmSignatures: 'always' };

/** The error for an id that no account has. Ids follow from the accounts, so they come back with them. */
export const noAccount = (field: string): NotFoundError =>
  new NotFoundError(
    `${field}: no Keystead account has this id. If the account was removed, create it again: it has the same id then.`,
  );

const keyOf = (id: string): string => `accounts.${id}`;

/** The name under which the index has an own address: the digits that people compare. */
const endsKeyOf = (address: Hex): string => endsOf(lowerCase(address));

/** The entry of an own address in the index. */
const endsEntryOf = (address: Hex): string => `ends.${endsKeyOf(address)}.${lowerCase(address)}`;

/** The maximum number of ends of addresses that are remembered. */
const MAX_ALIKE = 1000;

/** Removes an imported key, which may be in memory only while a request needs it. */
const entryOf = (stored: StoredAccount): AccountEntry =>
  stored.key.source === 'derived' ? stored : { ...stored, key: { source: 'imported' } };

/** @returns Whether an entry is complete, which it is without an imported key. */
const isWhole = (entry: AccountEntry): entry is StoredAccount => entry.key.source === 'derived';

/** An account in a request. Most requests do not need its key. */
export type AccountInUse = {
  readonly entry: AccountEntry;
  /** @throws {NotFoundError} If the account was deleted in the meantime. */
  readonly withKey: () => Promise<StoredAccount>;
};

/**
 * The stored accounts and settings. Reads each account separately, so the cost of a request does not depend on the
 * number of accounts. Caches what it has read, except imported keys.
 */
export class AccountRepository {
  readonly #store: StateStore;
  /** Accounts that were read individually. */
  readonly #found = new Map<string, AccountEntry>();
  readonly #directory = new Remembered(
    async () => new Map((await this.list()).map((stored) => [stored.account.id, entryOf(stored)])),
  );
  readonly #settings: Stored<Settings>;
  /** The displayed names, by lower-case address. */
  readonly #names = new Remembered(async () => accountNames(await this.entries()));
  /** The accounts by the ends of their addresses, as far as they were looked for. */
  readonly #alike = new LruCache<string, Promise<readonly AccountEntry[]>>(MAX_ALIKE);
  /** The ids of the accounts that this process has put into the index. */
  readonly #indexed = new Set<string>();
  /** Counts changes, so that data read during a change is not cached. */
  #changes = 0;

  /** @param store - A store at the current schema version; see {@link CheckedState}. */
  constructor(store: StateStore) {
    this.#store = store;
    this.#settings = new Stored(store, 'settings', (stored) => {
      if (stored === null) return DEFAULT_SETTINGS;
      return SettingsStruct.is(stored) ? stored : CAUTIOUS_SETTINGS;
    });
  }

  /**
   * @returns The account, or undefined.
   * @throws {DamagedAccountError} If the stored data is not an account.
   */
  async find(id: string): Promise<StoredAccount | undefined> {
    const found = this.#found.get(id);
    if (found !== undefined && isWhole(found)) return found;
    const changes = this.#changes;
    const stored = await this.#store.read(keyOf(id));
    if (stored === null) return undefined;
    const sound = checked(stored, id);
    if (found === undefined && changes === this.#changes) this.#found.set(id, entryOf(sound));
    return sound;
  }

  /** @returns The account without an imported key, from the cache if possible; or undefined. */
  async entry(id: string): Promise<AccountEntry | undefined> {
    const found = this.#found.get(id) ?? this.#directory.known?.get(id);
    if (found !== undefined) return found;
    const stored = await this.find(id);
    return this.#found.get(id) ?? (stored && entryOf(stored));
  }

  /** @throws {NotFoundError} If the account does not exist. */
  async get(id: string): Promise<StoredAccount> {
    const stored = await this.find(id);
    if (stored === undefined) throw noAccount('account');
    return stored;
  }

  /**
   * @returns The account, from the cache if possible. An imported key is read only when it is needed.
   * @throws {NotFoundError} If the account does not exist.
   */
  async use(id: string): Promise<AccountInUse> {
    const entry = this.#found.get(id);
    if (entry !== undefined) return { entry, withKey: () => this.get(id) };
    const stored = await this.get(id);
    return { entry: this.#found.get(id) ?? stored, withKey: () => Promise.resolve(stored) };
  }

  /** @returns The readable accounts, with their keys. A damaged entry stays stored and does not affect the others. */
  async list(): Promise<StoredAccount[]> {
    return (await this.survey()).sound;
  }

  /** @returns The readable accounts, and the number of damaged entries. */
  async survey(): Promise<{ sound: StoredAccount[]; damaged: number }> {
    const all = Object.entries(await this.#all());
    const sound = all.flatMap(([id, stored]) => (isSoundAccount(stored, id) ? [stored] : []));
    return { sound, damaged: all.length - sound.length };
  }

  /** @returns The readable accounts without imported keys. The list is cached. */
  async entries(): Promise<AccountEntry[]> {
    return [...(await this.#directory.read()).values()];
  }

  /** @returns The displayed names of the readable accounts, by lower-case address. They are cached like the list. */
  names(): Promise<Readonly<Record<string, string>>> {
    return this.#names.read();
  }

  /**
   * @returns The accounts whose addresses have the same ends as these: the addresses themselves, if they are own ones,
   * and those that they could be mistaken for. Reads one entry of the index for each address, and no other accounts.
   */
  async alike(addresses: readonly Hex[]): Promise<readonly AccountEntry[]> {
    const ends = [...new Set(addresses.map(endsKeyOf))];
    return (await Promise.all(ends.map((key) => this.#withEnds(key)))).flat();
  }

  async put(stored: StoredAccount): Promise<void> {
    const { id, address } = stored.account;
    // Once the wallet has announced an account, it has been in the index before.
    const isIndexed = this.#indexed.has(id) || this.#found.get(id)?.announced === true;
    await this.#change(id, stored, async () => {
      // The wallet stores them in this order, so that it has no account without an entry.
      const writes = [
        ...(isIndexed ? [] : [this.#store.write(endsEntryOf(address), true)]),
        this.#store.write(keyOf(id), stored),
      ];
      await Promise.all(writes);
      this.#indexed.add(id);
    });
  }

  /** Overwrites a stored account. @returns Whether it was stored. */
  async replace(stored: StoredAccount): Promise<boolean> {
    const { id } = stored.account;
    // A cached account is stored: removing it also removes it from the cache.
    if (!this.#found.has(id) && (await this.#store.read(keyOf(id))) === null) return false;
    await this.put(stored);
    return true;
  }

  async remove(id: string): Promise<void> {
    const { [id]: removed, ...rest } = await this.#all();
    if (removed === undefined) return;
    // First, so that a deletion that is interrupted and repeated leaves no address behind.
    if (isSoundAccount(removed, id)) await this.#removeFromIndex(removed.account);
    await this.#change(id, undefined, () => this.#store.write('accounts', rest));
  }

  settings(): Promise<Settings> {
    return this.#settings.read();
  }

  changeSettings(settings: Settings): Promise<void> {
    return this.#settings.write(settings);
  }

  /** Keeps nothing of the account in the cache during a change, and after a failed one. */
  async #change(id: string, after: StoredAccount | undefined, write: () => Promise<void>): Promise<void> {
    const directory = this.#directory.known;
    this.#forget(id);
    try {
      await write();
    } finally {
      // A read during the change may have cached the old value.
      this.#forget(id);
    }
    if (after !== undefined) this.#found.set(id, entryOf(after));
    if (directory === undefined) return;
    if (after === undefined) directory.delete(id);
    else directory.set(id, entryOf(after));
    this.#directory.set(directory);
  }

  #forget(id: string): void {
    this.#changes++;
    this.#found.delete(id);
    this.#directory.set();
    this.#names.set();
    this.#alike.clear();
  }

  #withEnds(key: string): Promise<readonly AccountEntry[]> {
    const known = this.#alike.get(key);
    if (known !== undefined) return known;
    const found = this.#readWithEnds(key);
    this.#alike.set(key, found);
    found.catch(() => {
      this.#alike.delete(key);
    });
    return found;
  }

  async #readWithEnds(key: string): Promise<readonly AccountEntry[]> {
    const stored = await this.#store.read(`ends.${key}`);
    if (typeof stored !== 'object' || stored === null) return [];
    const ids = Object.keys(stored).flatMap((address) => ACCOUNT_TYPES.map((type) => accountId(address as Hex, type)));
    // The entry of an account whose creation was interrupted may be there without the account.
    const entries = await Promise.all(ids.map((id) => unlessDamaged(this.entry(id), undefined)));
    return entries.filter((entry) => entry !== undefined);
  }

  async #removeFromIndex({ id, address }: StoredAccount['account']): Promise<void> {
    this.#indexed.delete(id);
    const key = `ends.${endsKeyOf(address)}`;
    const stored = await this.#store.read(key);
    if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return;
    const { [lowerCase(address)]: removed, ...rest } = stored;
    if (removed === undefined) return;
    await this.#store.write(key, Object.keys(rest).length === 0 ? null : rest);
    this.#alike.clear();
  }

  async #all(): Promise<Record<string, Json>> {
    const accounts = (await this.#store.read('accounts')) ?? {};
    if (typeof accounts !== 'object' || Array.isArray(accounts))
      throw new DamagedAccountError(
        'The stored accounts are damaged. To bring back accounts derived from your recovery phrase, create them again.',
      );
    return accounts;
  }
}

/** @returns Whether an entry is a valid account with this id. */
export const isSoundAccount = (stored: unknown, id: string): stored is StoredAccount =>
  StoredAccountStruct.is(stored) && stored.account.id === id;

/** @returns The result, or `instead` if the stored data is damaged. */
export const unlessDamaged = <Found, Instead>(found: Promise<Found>, instead: Instead): Promise<Found | Instead> =>
  found.catch((error: unknown) => {
    if (error instanceof DamagedAccountError) return instead;
    throw error;
  });

function checked(stored: unknown, id: string): StoredAccount {
  if (isSoundAccount(stored, id)) return stored;
  throw new DamagedAccountError(
    'account: its stored data is damaged. Nothing was changed. If the account was derived from your recovery phrase, create accounts to bring it back',
  );
}
