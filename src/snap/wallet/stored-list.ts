import { type Json } from '@metamask/snaps-sdk';

import { Mutex } from '../../core/mutex';
import { type StateStore } from './state';
import { Remembered } from './remembered';

type EntryStruct<Entry> = { readonly is: (value: unknown) => value is Entry };

/** A list in the state, which only this object writes. Unreadable entries are dropped. */
export class StoredList<Entry> {
  readonly #store: StateStore;
  readonly #key: string;
  readonly #struct: EntryStruct<Entry>;
  readonly #entries = new Remembered<readonly Entry[]>();
  readonly #writing = new Mutex();

  /** @param store - A store at the current schema version; see `versionedState`. */
  constructor(store: StateStore, key: string, struct: EntryStruct<Entry>) {
    this.#store = store;
    this.#key = key;
    this.#struct = struct;
  }

  /** @throws {StateError} If the state cannot be read. */
  read(): Promise<readonly Entry[]> {
    return this.#entries.get(async () => {
      const stored = await this.#store.read(this.#key);
      return Array.isArray(stored) ? stored.filter((one): one is Json & Entry => this.#struct.is(one)) : [];
    });
  }

  /**
   * Changes the list, one change after the other.
   *
   * @param change - Returns the list that it was given if nothing is to be written.
   */
  change(change: (entries: readonly Entry[]) => readonly Entry[]): Promise<void> {
    return this.#writing.runExclusive(async () => {
      const before = await this.read();
      const after = change(before);
      if (after === before) return;
      await this.#entries.set(after, () => this.#store.write(this.#key, after as unknown as Json));
    });
  }
}
