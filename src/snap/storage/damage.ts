import { type Json } from '@metamask/snaps-sdk';

import { type Struct } from '../../core/schemas/struct';
import { Mutex } from '../platform/mutex';
import { type StateStore } from '../platform/state';

/** Returns what of a part of the state cannot be read; null if all of it can. */
type DamagedIn = (stored: Json) => Json;

/** How to tell what is damaged in each part of the state that somebody would miss, by its name. */
export type StoredParts = ReadonlyMap<string, DamagedIn>;

/** A part that is damaged as a whole or not at all. */
export const whole =
  <T>(struct: Struct<T>): DamagedIn =>
  (stored) =>
    struct.is(stored) ? null : stored;

/** A part of which only some entries may be damaged. The others may hold keys, which go when their account is deleted. */
export const entries =
  (isSound: (entry: unknown, name: string) => boolean): DamagedIn =>
  (stored) => {
    if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return stored;
    const damaged = Object.entries(stored).filter(([name, entry]) => !isSound(entry, name));
    return damaged.length === 0 ? null : Object.fromEntries(damaged);
  };

const MAX_COPIES = 10;

/** @returns The parts of the state of which something cannot be read, by name. */
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
 * @returns The same store, which keeps a copy of what cannot be read, under `damaged`, before that part of the
 * state is written for the first time.
 */
export function keepingDamaged(state: StateStore, parts: StoredParts): StateStore {
  const lookedAt = new Set<string>();
  /** Parts that are written at the same time must not lose each other's copy. */
  const copying = new Mutex();
  const lookAt = async (part: string, isEntry: boolean): Promise<void> => {
    const stored = await state.read(part);
    const damaged = parts.get(part)?.(stored) ?? null;
    if (damaged === null) return;
    await keepCopy(state, part, damaged);
    // The wallet puts no entry into what is no object.
    if (isEntry && (typeof stored !== 'object' || Array.isArray(stored))) await state.write(part, null);
  };
  return {
    read: state.read,
    write: async (key, value) => {
      const [part = '', ...entry] = key.split('.');
      if (parts.has(part) && !lookedAt.has(part)) {
        await copying.runExclusive(() => lookAt(part, entry.length > 0));
        lookedAt.add(part);
      }
      await state.write(key, value);
    },
  };
}
