import { type Json } from '@metamask/snaps-sdk';

import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { AddressStruct } from '../../core/schemas/address';
import { array, type Infer, object } from '../../core/schemas/struct';
import { Mutex } from '../platform/mutex';
import { type StateStore } from '../platform/state';
import { same } from '../storage/consented-change';
import { Remembered } from '../storage/remembered';

/** The maximum number of recipients per account, and of accounts. The least recent are dropped first. */
const MAX_ADDRESSES = 200;
const MAX_ACCOUNTS = 50;

/** Where one account has sent to, on any network: lower-case addresses, the most recent first. */
export const HistoryStruct = object({ account: AddressStruct, addresses: array(AddressStruct) });
type History = Infer<typeof HistoryStruct>;

const withoutAccount = (all: readonly History[], account: Hex): History[] =>
  all.filter((history) => !isSameAddress(history.account, account));

/**
 * Where each account has sent to before, the most recently used account first. Unreadable entries are dropped: their
 * recipients are then new again. It is not in backups.
 */
export class RecipientRepository {
  readonly #store: StateStore;
  readonly #stored = new Remembered<readonly History[]>();
  readonly #writing = new Mutex();

  /** @param store - A store at the current schema version; see `versionedState`. */
  constructor(store: StateStore) {
    this.#store = store;
  }

  /** @returns The addresses that the account has sent to, in lower case, the most recent first. */
  async used(account: Hex): Promise<readonly Hex[]> {
    return (await this.#all()).find((history) => isSameAddress(history.account, account))?.addresses ?? [];
  }

  /**
   * Records what an account has sent to. Writes nothing if the record does not change.
   *
   * @throws {StateError} If the state cannot be read or written. What was sent is sent all the same.
   */
  async remember(account: Hex, addresses: readonly Hex[]): Promise<void> {
    if (addresses.length === 0) return;
    await this.#change((all) => {
      const recent = addresses.map((address) => address.toLowerCase() as Hex);
      const earlier = all.find((history) => isSameAddress(history.account, account))?.addresses ?? [];
      const history = {
        account: account.toLowerCase() as Hex,
        addresses: [...new Set([...recent, ...earlier])].slice(0, MAX_ADDRESSES),
      };
      return [history, ...withoutAccount(all, account)].slice(0, MAX_ACCOUNTS);
    });
  }

  /** @returns The accounts that have sent something, the most recent first, each with its number of recipients. */
  async counts(): Promise<readonly { readonly account: Hex; readonly recipients: number }[]> {
    return (await this.#all()).map(({ account, addresses }) => ({ account, recipients: addresses.length }));
  }

  /** Drops all records. */
  async clear(): Promise<void> {
    await this.#change(() => []);
  }

  /** Drops the record of a deleted account. */
  async forget(account: Hex): Promise<void> {
    await this.#change((all) => withoutAccount(all, account));
  }

  #all(): Promise<readonly History[]> {
    return this.#stored.get(async () => {
      const stored = await this.#store.read('recipients');
      return Array.isArray(stored) ? stored.filter((entry): entry is Json & History => HistoryStruct.is(entry)) : [];
    });
  }

  async #change(change: (all: readonly History[]) => History[]): Promise<void> {
    await this.#writing.runExclusive(async () => {
      const before = await this.#all();
      const after = change(before);
      if (same(after, before)) return;
      await this.#stored.set(after, () => this.#store.write('recipients', after));
    });
  }
}
