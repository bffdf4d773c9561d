import { type Json } from '@metamask/snaps-sdk';

import { type Struct } from '../../core/structs/struct';
import { Mutex } from '../../core/mutex';
import { type StateStore } from './state';

type Part = {
  /** Returns the unreadable content of a part of the state, or null if all of it is readable. */
  readonly damagedIn: (stored: Json) => Json;
  /** Whether it has entries, which are read and written on their own. */
  readonly hasEntries: boolean;
};

/** The damage check of each part of the state, by name. */
export type StoredParts = ReadonlyMap<string, Part>;

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
    if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return stored;
    const damaged = Object.entries(stored).filter(([name, entry]) => !isSound(entry, name));
    return damaged.length === 0 ? null : Object.fromEntries(damaged);
  },
  hasEntries: true,
});

const MAX_COPIES = 10;

/** @returns The names of the parts of the state that are damaged. */
export async function damagedParts(state: StateStore, parts: StoredParts): Promise<string[]> {
  const all = await Promise.all(
    [...parts].map(async ([part, { damagedIn }]) => (damagedIn(await state.read(part)) === null ? [] : [part])),
  );
  return all.flat();
}

async function keepCopy(state: StateStore, part: string, stored: Json): Promise<void> {
  const kept = await state.read('damaged');
  const copies = Array.isArray(kept) ? kept : [];
  const copy = { part, stored };
  if (copies.some((other) => JSON.stringify(other) === JSON.stringify(copy))) return;
  await state.write('damaged', [...copies, copy].slice(-MAX_COPIES));
}

const isObject = (stored: Json): boolean => typeof stored === 'object' && stored !== null && !Array.isArray(stored);

/**
 * @returns The same store, which saves a copy of damaged data under `damaged` before it first writes over it. What was
 * read through it and is sound needs no second look, so that writing one entry does not read the others.
 */
export function keepingDamaged(state: StateStore, parts: StoredParts): StateStore {
  /** The parts that were checked, and the entries that were read and are sound. */
  const checked = new Set<string>();
  /** Concurrent writes must not lose each other's copies. */
  const copying = new Mutex();
  const saveDamaged = async (part: string, isEntry: boolean): Promise<void> => {
    const stored = await state.read(part);
    const damaged = parts.get(part)?.damagedIn(stored) ?? null;
    if (damaged !== null) await keepCopy(state, part, damaged);
    // MetaMask cannot write a member of a value that is not an object.
    if (isEntry && stored !== null && !isObject(stored)) await state.write(part, null);
    checked.add(part);
  };
  const check = (part: string, isEntry: boolean): Promise<void> =>
    copying.runExclusive(async () => {
      if (!checked.has(part)) await saveDamaged(part, isEntry);
    });
  const isSound = (key: string, stored: Json): boolean => {
    const [name = '', ...entry] = key.split('.');
    const part = parts.get(name);
    if (part === undefined || part.hasEntries !== entry.length > 0) return false;
    return stored === null || part.damagedIn(part.hasEntries ? { [entry.join('.')]: stored } : stored) === null;
  };
  return {
    read: async (key) => {
      const stored = await state.read(key);
      if (!checked.has(key) && isSound(key, stored)) checked.add(key);
      return stored;
    },
    write: async (key, value) => {
      const [part = '', ...entry] = key.split('.');
      const isEntry = entry.length > 0;
      if (parts.has(part) && !checked.has(part) && !checked.has(key)) await check(part, isEntry);
      try {
        await state.write(key, value);
      } catch (error) {
        if (!isEntry || checked.has(part) || isObject((await state.read(part)) ?? {})) throw error;
        // An entry of what is no object reads as absent, so that it seemed sound.
        await check(part, isEntry);
        await state.write(key, value);
      }
      if (parts.get(part)?.hasEntries === true && isEntry) checked.add(key);
    },
  };
}
