import { StateError } from '../../core/errors';
import { type StateStore } from '../platform/state';
import { integer } from '../../core/schemas/struct';
import { oneKeyAnAccount } from './migrations/one-key-an-account';

/**
 * Migrates the state from one schema version to the next, through the store. It must be safe to run again after an
 * interruption.
 */
export type Migration = (state: StateStore) => Promise<void>;

/** The first schema version. */
const FIRST_VERSION = 1;

/**
 * The current schema version. Version 1: `accounts` by id, `settings`, `chains` by id, `prepared` operations,
 * `recipients`, watched `tokens`, `storage` service, last `backup`. Version 2: `histories` by account with their
 * `historyOrder` instead of `recipients`, and own addresses by their `ends`.
 */
export const STATE_VERSION = 2;

/** The migration from version `n` is at index `n`. */
const MIGRATIONS: Readonly<Record<number, Migration>> = { 1: oneKeyAnAccount };

/** A schema version of this or a later release. */
export const VersionStruct = integer(1, Number.MAX_SAFE_INTEGER);

/**
 * Migrates the stored state to the current version, one step at a time. Each completed step is recorded, so a crash
 * repeats at most one.
 *
 * Every release stores a version before anything else. A state without a version is empty or has lost it. It counts as
 * the first version and goes through every step; a step leaves alone what is already migrated.
 *
 * @returns Whether the state has a valid version. If not, nothing was changed.
 * @throws {StateError} If the state is newer than this code. Nothing is changed then.
 */
export async function migrateState(
  state: StateStore,
  migrations = MIGRATIONS,
  target = STATE_VERSION,
): Promise<boolean> {
  const noted = await state.read('version');
  const stored = noted ?? FIRST_VERSION;
  if (noted === null) await state.write('version', stored);
  if (!VersionStruct.is(stored)) return false;
  if (stored > target) {
    throw new StateError(
      `The stored accounts were written by a newer version of Keystead (state version ${stored}; this version reads ${target}). Nothing was changed.`,
    );
  }
  for (let version = stored; version < target; version++) {
    const migrate = migrations[version];
    if (migrate === undefined)
      throw new StateError(
        `There is no migration from state version ${version} to ${version + 1}. Nothing was changed.`,
      );
    await migrate(state);
    await state.write('version', version + 1);
  }
  return true;
}

/**
 * @param store - The store that is migrated.
 * @param checked - The same store for later use, which saves copies of damaged data.
 * @returns The checked store, which is migrated before the first access. An unreadable version is replaced with the
 * first change, and the state goes through every step. If a migration fails, the next access tries again.
 */
export function versionedState(store: StateStore, checked = store): StateStore {
  let migrated: Promise<boolean> | undefined;
  const ready = async (): Promise<boolean> => {
    migrated ??= migrateState(store);
    try {
      return await migrated;
    } catch (error) {
      migrated = undefined;
      throw error;
    }
  };
  return {
    read: async (key) => {
      await ready();
      return checked.read(key);
    },
    write: async (key, value) => {
      if (!(await ready())) {
        await checked.write('version', FIRST_VERSION);
        migrated = undefined;
        await ready();
      }
      await checked.write(key, value);
    },
  };
}
