import { type Json } from '@metamask/snaps-sdk';

import { type Struct } from '../../core/schemas/struct';
import { Mutex } from '../platform/mutex';
import { type StateStore } from '../platform/state';

/** Returns the unreadable content of a part of the state, or null if all of it is readable. */
type DamagedIn = (stored: Json) => Json;

/** The damage check of each part of the state, by name. */
export type StoredParts = ReadonlyMap<string, DamagedIn>;

/** A part that is either readable or damaged as a whole. */
export const whole =
  <T>(struct: Struct<T>): DamagedIn =>
  (stored) =>
    struct.is(stored) ? null : stored;

/**
 * A part of which single entries may be damaged. Only those are returned, because the others may contain keys, which
 * must disappear when their account is deleted.
 */
export const entries =
  (isSound: (entry: unknown, name: string) => boolean): DamagedIn =>
  (stored) => {
    if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return stored;
    const damaged = Object.entries(stored).filter(([name, entry]) => !isSound(entry, name));
    return damaged.length === 0 ? null : Object.fromEntries(damaged);
  };

const MAX_COPIES = 10;

/** @returns The names of the parts of the state that are damaged. */
export async function damagedParts(state: StateStore, parts: StoredParts): Promise<string[]> {
  const all = await Promise.all(
    [...parts].map(async ([part, damagedIn]) => (damagedIn(await state.read(part)) === null ? [] : [part])),
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

/**
 * @returns The same store, which saves a copy of damaged data under `damaged` before it first writes to that part of
 * the state.
 */
export function keepingDamaged(state: StateStore, parts: StoredParts): StateStore {
  const checkedParts = new Set<string>();
  /** Concurrent writes must not lose each other's copies. */
  const copying = new Mutex();
  const saveDamaged = async (part: string, isEntry: boolean): Promise<void> => {
    const stored = await state.read(part);
    const damaged = parts.get(part)?.(stored) ?? null;
    if (damaged === null) return;
    await keepCopy(state, part, damaged);
    // MetaMask cannot write a member of a value that is not an object.
    if (isEntry && (typeof stored !== 'object' || Array.isArray(stored))) await state.write(part, null);
  };
  return {
    read: state.read,
    write: async (key, value) => {
      const [part = '', ...entry] = key.split('.');
      if (parts.has(part) && !checkedParts.has(part)) {
        await copying.runExclusive(() => saveDamaged(part, entry.length > 0));
        checkedParts.add(part);
      }
      await state.write(key, value);
    },
  };
}
