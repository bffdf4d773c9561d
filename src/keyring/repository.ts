import { type Json } from '@metamask/snaps-sdk';
import { enums, type Infer, is, object } from '@metamask/superstruct';

import { DamagedAccountError, NotFoundError, StateError } from '../errors';
import { type StateStore } from '../platform/state';
import { type StoredAccount, StoredAccountStruct } from './account';

/** When the snap asks again after MetaMask has asked. */
const SettingsStruct = object({ confirmSignatures: enums(['never', 'always']) });
export type Settings = Infer<typeof SettingsStruct>;

const DEFAULT_SETTINGS: Settings = { confirmSignatures: 'never' };
/** For settings that cannot be read: what was chosen may have been this. */
const CAUTIOUS_SETTINGS: Settings = { confirmSignatures: 'always' };

const keyOf = (id: string): string => `accounts.${id}`;

/** The stored accounts and settings. Reads one account without the others, so it does not slow down with their number. */
export class AccountRepository {
  readonly #store: StateStore;

  /** @param store - Of the current version, see `versionedState`. */
  constructor(store: StateStore) {
    this.#store = store;
  }

  /**
   * @returns The account, or undefined.
   * @throws {DamagedAccountError} If what is stored is no account.
   */
  async find(id: string): Promise<StoredAccount | undefined> {
    const stored = await this.#store.read(keyOf(id));
    return stored === null ? undefined : checked(stored, id);
  }

  /** @throws {NotFoundError} If there is none. */
  async get(id: string): Promise<StoredAccount> {
    const stored = await this.find(id);
    if (stored === undefined) throw new NotFoundError('account: no account of Keystead has this id');
    return stored;
  }

  /** @returns The accounts that can be read. A damaged entry stays stored, and does not keep the others from use. */
  async list(): Promise<StoredAccount[]> {
    return Object.entries(await this.#all()).flatMap(([id, stored]) => (isSound(stored, id) ? [stored] : []));
  }

  async put(stored: StoredAccount): Promise<void> {
    await this.#store.write(keyOf(stored.account.id), stored);
  }

  /** Stores an account that is stored already. @returns Whether it was. */
  async replace(stored: StoredAccount): Promise<boolean> {
    const key = keyOf(stored.account.id);
    if ((await this.#store.read(key)) === null) return false;
    await this.#store.write(key, stored);
    return true;
  }

  async remove(id: string): Promise<void> {
    const { [id]: removed, ...rest } = await this.#all();
    if (removed === undefined) return;
    await this.#store.write('accounts', rest);
  }

  async settings(): Promise<Settings> {
    const stored = await this.#store.read('settings');
    if (stored === null) return DEFAULT_SETTINGS;
    return is(stored, SettingsStruct) ? stored : CAUTIOUS_SETTINGS;
  }

  async changeSettings(settings: Settings): Promise<void> {
    await this.#store.write('settings', settings);
  }

  async #all(): Promise<Record<string, Json>> {
    const accounts = (await this.#store.read('accounts')) ?? {};
    if (typeof accounts !== 'object' || Array.isArray(accounts))
      throw new StateError('The stored accounts are damaged. Nothing was changed.');
    return accounts;
  }
}

/** @returns Whether an entry is an account, and the one that its id says. */
const isSound = (stored: unknown, id: string): stored is StoredAccount =>
  is(stored, StoredAccountStruct) && stored.account.id === id;

function checked(stored: unknown, id: string): StoredAccount {
  if (isSound(stored, id)) return stored;
  throw new DamagedAccountError(
    'account: what is stored of it is damaged. Nothing was changed; if it was derived from your recovery phrase, creating accounts brings it back',
  );
}
