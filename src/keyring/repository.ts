import { type Json } from '@metamask/snaps-sdk';
import { enums, type Infer, is, object } from '@metamask/superstruct';

import { NotFoundError, StateError } from '../errors';
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

  /** @returns The account, or undefined. */
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

  async list(): Promise<StoredAccount[]> {
    return Object.entries(await this.#all()).map(([id, stored]) => checked(stored, id));
  }

  async put(stored: StoredAccount): Promise<void> {
    await this.#store.write(keyOf(stored.account.id), stored);
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

function checked(stored: unknown, id: string): StoredAccount {
  if (!is(stored, StoredAccountStruct) || stored.account.id !== id) {
    throw new StateError(
      `The stored account ${id} is damaged. Nothing was changed; an account derived from your recovery phrase can be created again.`,
    );
  }
  return stored as StoredAccount;
}
