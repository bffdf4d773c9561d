import { type Json } from '@metamask/snaps-sdk';

import { DamagedAccountError, NotFoundError } from '../../core/errors';
import { Remembered } from '../storage/remembered';
import { type StateStore } from '../platform/state';
import { type AccountEntry, type StoredAccount, StoredAccountStruct } from './account';
import { enums, type Infer, object } from '../../core/schemas/struct';

/** When the snap asks again after MetaMask has asked. */
export const SettingsStruct = object({ confirmSignatures: enums(['never', 'always']) });
export type Settings = Infer<typeof SettingsStruct>;

const DEFAULT_SETTINGS: Settings = { confirmSignatures: 'never' };
/** For settings that cannot be read: what was chosen may have been this. */
const CAUTIOUS_SETTINGS: Settings = { confirmSignatures: 'always' };

const keyOf = (id: string): string => `accounts.${id}`;

/** Everything but the key of an account that has been imported: that is in memory only while a request needs it. */
const entryOf = (stored: StoredAccount): AccountEntry =>
  stored.key.source === 'derived' ? stored : { ...stored, key: { source: 'imported' } };

/** Whether an entry is all that is stored. */
const isWhole = (entry: AccountEntry): entry is StoredAccount => entry.key.source === 'derived';

/** An account as a request needs it: most of what is asked of one is answered without its key. */
export type AccountInUse = {
  readonly entry: AccountEntry;
  /** @throws {NotFoundError} If the account was deleted meanwhile. */
  readonly withKey: () => Promise<StoredAccount>;
};

/**
 * The stored accounts and settings. Reads one account without the others, so that a request costs the same
 * however many there are, and keeps in memory what it has read, imported keys excepted.
 */
export class AccountRepository {
  readonly #store: StateStore;
  /** Accounts that have been read on their own. */
  readonly #found = new Map<string, AccountEntry>();
  readonly #directory = new Remembered<Map<string, AccountEntry>>();
  readonly #settings = new Remembered<Settings>();
  /** Counts the changes of accounts, so that what was read during one is not kept. */
  #changes = 0;

  /** @param store - Of the current version, see `versionedState`. */
  constructor(store: StateStore) {
    this.#store = store;
  }

  /**
   * @returns The account, or undefined.
   * @throws {DamagedAccountError} If what is stored is no account.
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

  /** @returns The account without its key, where that was imported, from memory if it was read before; or undefined. */
  async entry(id: string): Promise<AccountEntry | undefined> {
    const found = this.#found.get(id) ?? this.#directory.peek()?.get(id);
    if (found !== undefined) return found;
    const stored = await this.find(id);
    return this.#found.get(id) ?? (stored && entryOf(stored));
  }

  /** @throws {NotFoundError} If there is none. */
  async get(id: string): Promise<StoredAccount> {
    const stored = await this.find(id);
    if (stored === undefined) throw new NotFoundError('account: no account of Keystead has this id');
    return stored;
  }

  /**
   * @returns The account, from memory if it was read before. Its key, if imported, is read when it is needed.
   * @throws {NotFoundError} If there is none.
   */
  async use(id: string): Promise<AccountInUse> {
    const entry = this.#found.get(id);
    if (entry !== undefined) return { entry, withKey: () => this.get(id) };
    const stored = await this.get(id);
    return { entry: this.#found.get(id) ?? stored, withKey: () => Promise.resolve(stored) };
  }

  /**
   * @returns The accounts that can be read, with their keys. A damaged entry stays stored, and does not keep
   * the others from use.
   */
  async list(): Promise<StoredAccount[]> {
    return (await this.survey()).sound;
  }

  /** @returns The same, and how many entries are damaged. */
  async survey(): Promise<{ sound: StoredAccount[]; damaged: number }> {
    const all = Object.entries(await this.#all());
    const sound = all.flatMap(([id, stored]) => (isSoundAccount(stored, id) ? [stored] : []));
    return { sound, damaged: all.length - sound.length };
  }

  /** @returns The same without imported keys: read once, and then kept. */
  async entries(): Promise<AccountEntry[]> {
    const directory = await this.#directory.get(
      async () => new Map((await this.list()).map((stored) => [stored.account.id, entryOf(stored)])),
    );
    return [...directory.values()];
  }

  async put(stored: StoredAccount): Promise<void> {
    const { id } = stored.account;
    await this.#change(id, stored, () => this.#store.write(keyOf(id), stored));
  }

  /** Stores an account that is stored already. @returns Whether it was. */
  async replace(stored: StoredAccount): Promise<boolean> {
    const { id } = stored.account;
    // What is in memory is stored: a removal takes it out.
    if (!this.#found.has(id) && (await this.#store.read(keyOf(id))) === null) return false;
    await this.put(stored);
    return true;
  }

  async remove(id: string): Promise<void> {
    const { [id]: removed, ...rest } = await this.#all();
    if (removed === undefined) return;
    await this.#change(id, undefined, () => this.#store.write('accounts', rest));
  }

  async settings(): Promise<Settings> {
    return this.#settings.get(async () => {
      const stored = await this.#store.read('settings');
      if (stored === null) return DEFAULT_SETTINGS;
      return SettingsStruct.is(stored) ? stored : CAUTIOUS_SETTINGS;
    });
  }

  async changeSettings(settings: Settings): Promise<void> {
    await this.#settings.set(settings, () => this.#store.write('settings', settings));
  }

  /** While a change is being written, and after one that failed, nothing in memory stands for it. */
  async #change(id: string, after: StoredAccount | undefined, write: () => Promise<void>): Promise<void> {
    const directory = this.#directory.peek();
    this.#forget(id);
    try {
      await write();
    } finally {
      // Who asked meanwhile was told, and had kept here, what was stored before.
      this.#forget(id);
    }
    if (after !== undefined) this.#found.set(id, entryOf(after));
    if (directory === undefined) return;
    if (after === undefined) directory.delete(id);
    else directory.set(id, entryOf(after));
    this.#directory.put(directory);
  }

  #forget(id: string): void {
    this.#changes++;
    this.#found.delete(id);
    this.#directory.forget();
  }

  async #all(): Promise<Record<string, Json>> {
    const accounts = (await this.#store.read('accounts')) ?? {};
    if (typeof accounts !== 'object' || Array.isArray(accounts))
      throw new DamagedAccountError(
        'The stored accounts are damaged. Those that were derived from your recovery phrase come back when they are created again.',
      );
    return accounts;
  }
}

/** @returns Whether an entry is an account, and the one that its id says. */
export const isSoundAccount = (stored: unknown, id: string): stored is StoredAccount =>
  StoredAccountStruct.is(stored) && stored.account.id === id;

/** @returns What was found; `instead` if it cannot be read. */
export const unlessDamaged = <Found, Instead>(found: Promise<Found>, instead: Instead): Promise<Found | Instead> =>
  found.catch((error: unknown) => {
    if (error instanceof DamagedAccountError) return instead;
    throw error;
  });

function checked(stored: unknown, id: string): StoredAccount {
  if (isSoundAccount(stored, id)) return stored;
  throw new DamagedAccountError(
    'account: what is stored of it is damaged. Nothing was changed; if it was derived from your recovery phrase, creating accounts brings it back',
  );
}
