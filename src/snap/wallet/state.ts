import { type Json } from '@metamask/snaps-sdk';

import { StateError } from '../../core/errors';
import { Mutex } from '../../core/mutex';
import { integer, type Struct } from '../../core/structs/struct';

/** The snap's storage in MetaMask: one JSON object, accessed by key. Each call is atomic. */
export type StateStore = {
  /** @returns The value under the key, or null. Dots in the key separate nested members. */
  readonly read: (key: string) => Promise<Json>;
  readonly write: (key: string, value: Json) => Promise<void>;
};

/** MetaMask's own errors are replaced, because they may quote the value to be stored. */
const storeOf = (encrypted: boolean): StateStore => ({
  read: async (key) => {
    try {
      return await snap.request({ method: 'snap_getState', params: { key, encrypted } });
    } catch {
      throw new StateError('The wallet could not read the data that Keystead has stored. Try again.');
    }
  },
  write: async (key, value) => {
    try {
      await snap.request({ method: 'snap_setState', params: { key, value, encrypted } });
    } catch {
      throw new StateError('The wallet could not store the change.');
    }
  },
});

/** Encrypted, so that it can be read only while the wallet is unlocked. */
export const snapState = storeOf(true);

/** Not encrypted, so that it can be read while the wallet is locked, and by whoever can read the browser's files. */
export const openState = storeOf(false);

/** The schema version of the state. The first release has version 2. */
export const STATE_VERSION = 2;

/** A schema version of this or a later release. */
export const VersionStruct = integer(STATE_VERSION, Number.MAX_SAFE_INTEGER);

type Part = {
  /** Returns the unreadable content of a part of the state, or null if all of it is readable. */
  readonly damagedIn: (stored: Json) => Json;
  /** Whether it has entries, which are read and written on their own. */
  readonly hasEntries: boolean;
};

/** The damage check of each part of the state, by name. */
export type StoredParts = ReadonlyMap<string, Part>;

/** @returns Whether two JSON values or screens are equal. */
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isObject = (stored: Json): stored is Record<string, Json> =>
  typeof stored === 'object' && stored !== null && !Array.isArray(stored);

/** A part that is either readable or damaged as a whole. */
export const whole = <T>(struct: Struct<T>): Part => ({
  damagedIn: (stored) => (struct.is(stored) ? null : stored),
  hasEntries: false,
});

/**
 * A part of which single entries may be damaged. Only those are returned, because the others may contain keys, which
 * must disappear when their account is deleted.
 */
export const entries = (isSound: (entry: unknown, name: string) => boolean): Part => ({
  damagedIn: (stored) => {
    if (!isObject(stored)) return stored;
    const damaged = Object.entries(stored).filter(([name, entry]) => !isSound(entry, name));
    return damaged.length === 0 ? null : Object.fromEntries(damaged);
  },
  hasEntries: true,
});

/** @returns The names of the parts of the state that are damaged. */
export async function damagedParts(state: StateStore, parts: StoredParts): Promise<string[]> {
  const all = await Promise.all(
    [...parts].map(async ([part, { damagedIn }]) => (damagedIn(await state.read(part)) === null ? [] : [part])),
  );
  return all.flat();
}

const MAX_COPIES = 10;

/**
 * The state at the current schema version, which loses nothing silently. The version is checked before the first
 * access, and an unreadable one is replaced with the first change. A copy of damaged data is saved under `damaged`
 * before it is first written over. What was read and is sound needs no second look, so that writing one entry does not
 * read the others.
 */
export class CheckedState implements StateStore {
  readonly #store: StateStore;
  readonly #parts: StoredParts;
  /** Whether the stored version is valid. */
  #version: Promise<boolean> | undefined;
  /** The parts that were checked, and the entries that were read and are sound. */
  readonly #checked = new Set<string>();
  /** Concurrent writes must not lose each other's copies. */
  readonly #copying = new Mutex();

  /** @param parts - Those of which copies are saved. Default: none. */
  constructor(store: StateStore, parts: StoredParts = new Map()) {
    this.#store = store;
    this.#parts = parts;
  }

  /** @throws {StateError} If the state cannot be read, or is newer than this code. The next access tries again. */
  async read(key: string): Promise<Json> {
    await (this.#version ??= this.#readVersion());
    const stored = await this.#store.read(key);
    if (!this.#checked.has(key) && this.#isSound(key, stored)) this.#checked.add(key);
    return stored;
  }

  /** @throws {StateError} If the state cannot be written, or is newer than this code. Nothing is changed then. */
  async write(key: string, value: Json): Promise<void> {
    if (!(await (this.#version ??= this.#readVersion()))) {
      await this.#saveDamaged('version', false);
      await this.#store.write('version', STATE_VERSION);
      this.#version = Promise.resolve(true);
    }
    const [part = '', ...entry] = key.split('.');
    const isEntry = entry.length > 0;
    if (this.#parts.has(part) && !this.#checked.has(key)) await this.#saveDamaged(part, isEntry);
    try {
      await this.#store.write(key, value);
    } catch (error) {
      if (!isEntry || this.#checked.has(part) || isObject((await this.#store.read(part)) ?? {})) throw error;
      // An entry of what is no object reads as absent, so that it seemed sound.
      await this.#saveDamaged(part, isEntry);
      await this.#store.write(key, value);
    }
    if (isEntry && this.#parts.get(part)?.hasEntries === true) this.#checked.add(key);
  }

  /**
   * Every release stores the version before anything else, so a state without one is empty or has lost it, and gets the
   * current one.
   *
   * @returns Whether the state has a valid version. If not, nothing was changed.
   */
  async #readVersion(): Promise<boolean> {
    try {
      const stored = await this.#store.read('version');
      if (stored === null) {
        await this.#store.write('version', STATE_VERSION);
        return true;
      }
      if (!VersionStruct.is(stored)) return false;
      if (stored <= STATE_VERSION) return true;
      throw new StateError(
        `The stored accounts were written by a newer version of Keystead (state version ${stored}; this version reads ${STATE_VERSION}). Nothing was changed.`,
      );
    } catch (error) {
      this.#version = undefined;
      throw error;
    }
  }

  #isSound(key: string, stored: Json): boolean {
    const [name = '', ...entry] = key.split('.');
    const part = this.#parts.get(name);
    if (part === undefined || part.hasEntries !== entry.length > 0) return false;
    return stored === null || part.damagedIn(part.hasEntries ? { [entry.join('.')]: stored } : stored) === null;
  }

  /** Saves what is damaged in a part, once. */
  async #saveDamaged(name: string, isEntry: boolean): Promise<void> {
    if (this.#checked.has(name)) return;
    await this.#copying.runExclusive(async () => {
      if (this.#checked.has(name)) return;
      const stored = await this.#store.read(name);
      const damaged = this.#parts.get(name)?.damagedIn(stored) ?? null;
      if (damaged !== null) await this.#keepCopy(name, damaged);
      // MetaMask cannot write a member of a value that is not an object.
      if (isEntry && stored !== null && !isObject(stored)) await this.#store.write(name, null);
      this.#checked.add(name);
    });
  }

  async #keepCopy(part: string, stored: Json): Promise<void> {
    const kept = await this.#store.read('damaged');
    const copies = Array.isArray(kept) ? kept : [];
    const copy = { part, stored };
    if (copies.some((other) => same(other, copy))) return;
    await this.#store.write('damaged', [...copies, copy].slice(-MAX_COPIES));
  }
}

/**
 * Caches one value after it was read. Only the snap writes its state, and each read is a round trip to MetaMask. Must
 * not be used for secrets, which may be in memory only while a request needs them.
 */
export class Remembered<T extends object> {
  readonly #load: () => Promise<T>;
  #value: T | undefined;
  /** The current read, unless it started before the last change. */
  #reading: Promise<T> | undefined;

  /** @param load - Reads the value. Called only if it is not cached and no read is in progress. */
  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** The value, if it is cached. */
  get known(): T | undefined {
    return this.#value;
  }

  async read(): Promise<T> {
    if (this.#value !== undefined) return this.#value;
    const reading = (this.#reading ??= this.#load());
    try {
      const value = await reading;
      if (this.#reading === reading) this.#value = value;
      return value;
    } finally {
      if (this.#reading === reading) this.#reading = undefined;
    }
  }

  /** Replaces the cached value. Without one, the next access reads it again. */
  set(value?: T): void {
    this.#reading = undefined;
    this.#value = value;
  }
}

/** One part of the state, or one entry of it, which only this object writes. */
export class Stored<T extends object> extends Remembered<T> {
  readonly #state: StateStore;
  readonly #key: string;
  readonly #changing = new Mutex();

  /** @param decode - Gives the value its type. It must not throw: what is damaged counts as absent. */
  constructor(state: StateStore, key: string, decode: (stored: Json) => T) {
    super(async () => decode(await state.read(key)));
    this.#state = state;
    this.#key = key;
  }

  /**
   * @param stored - The value as it is stored. Default: as it is.
   * @throws {StateError} If it cannot be written. What is stored is unknown then, and is read again.
   */
  async write(value: T, stored = value as unknown as Json): Promise<void> {
    this.set();
    try {
      await this.#state.write(this.#key, stored);
    } finally {
      // A read during the write may have cached the old value.
      this.set();
    }
    this.set(value);
  }

  /**
   * Changes the value, one change after the other.
   *
   * @param change - Returns the value that it was given if nothing is to be written.
   */
  change(change: (before: T) => T): Promise<void> {
    return this.#changing.runExclusive(async () => {
      const before = await this.read();
      const after = change(before);
      if (after !== before) await this.write(after);
    });
  }
}

/** A list in the state. Unreadable entries are dropped. */
export class StoredList<Entry> extends Stored<readonly Entry[]> {
  /** @param struct - What each entry must look like. */
  constructor(state: StateStore, key: string, struct: { readonly is: (value: unknown) => value is Entry }) {
    super(state, key, (stored) =>
      Array.isArray(stored) ? stored.filter((one): one is Json & Entry => struct.is(one)) : [],
    );
  }
}
