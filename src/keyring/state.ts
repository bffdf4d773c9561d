import { type Json } from '@metamask/snaps-sdk';

import { StateError } from '../errors';
import { type StateStore } from '../platform/state';

/**
 * Turns the state of one schema version into that of the next. Reads and writes through the store, and
 * must be safe to run again after it was cut short.
 */
export type Migration = (state: StateStore) => Promise<void>;

/** The version that this code reads and writes. Version 1: `accounts` by id, `settings`, `chains` by id,
 * `prepared` operations, `storage` service, last `backup`. */
export const STATE_VERSION = 1;

/** The step from version `n` is at `n`. The first released version is 1, so there is none yet. */
const MIGRATIONS: Readonly<Record<number, Migration>> = {};

const isVersion = (value: Json): value is number => Number.isSafeInteger(value) && (value as number) >= 1;

/**
 * Brings the stored state to the current version, one step at a time; each step is recorded when it is
 * done, so a crash repeats at most one.
 *
 * @throws {StateError} If the state is newer than this code, or its version is not one. Nothing is changed then.
 */
export async function migrateState(state: StateStore, migrations = MIGRATIONS, target = STATE_VERSION): Promise<void> {
  const stored = await state.read('version');
  if (stored === null && (await state.read('accounts')) === null) {
    await state.write('version', target);
    return;
  }
  if (!isVersion(stored)) throw new StateError('The stored accounts have no valid version. Nothing was changed.');
  if (stored > target) {
    throw new StateError(
      `The stored accounts were written by a newer Keystead (version ${stored}, this one reads ${target}). Nothing was changed.`,
    );
  }
  for (let version = stored; version < target; version++) {
    const migrate = migrations[version];
    if (migrate === undefined)
      throw new StateError(`There is no way from state version ${version} to ${version + 1}. Nothing was changed.`);
    await migrate(state);
    await state.write('version', version + 1);
  }
}

/**
 * @returns The same store, brought to the current version before it is first read or written. A wallet that
 * could not be read just now may answer the next request.
 */
export function versionedState(store: StateStore): StateStore {
  let migrated: Promise<void> | undefined;
  const ready = async (): Promise<void> => {
    migrated ??= migrateState(store);
    try {
      await migrated;
    } catch (error) {
      migrated = undefined;
      throw error;
    }
  };
  return {
    read: async (key) => {
      await ready();
      return store.read(key);
    },
    write: async (key, value) => {
      await ready();
      await store.write(key, value);
    },
  };
}
