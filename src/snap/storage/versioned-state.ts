import { StateError } from '../../core/errors';
import { type StateStore } from '../platform/state';
import { integer } from '../../core/schemas/struct';

/**
 * Turns the state of one schema version into that of the next. Reads and writes through the store, and
 * must be safe to run again after it was cut short.
 */
export type Migration = (state: StateStore) => Promise<void>;

/** The version of the first code that stored anything. */
const FIRST_VERSION = 1;

/** The version that this code reads and writes. Version 1: `accounts` by id, `settings`, `chains` by id,
 * `prepared` operations, `storage` service, last `backup`. */
export const STATE_VERSION = 1;

/** The step from version `n` is at `n`. The first released version is 1, so there is none yet. */
const MIGRATIONS: Readonly<Record<number, Migration>> = {};

/** What a version is, of this code or of a later one. */
export const VersionStruct = integer(1, Number.MAX_SAFE_INTEGER);

/**
 * Brings the stored state to the current version, one step at a time; each step is recorded when it is
 * done, so a crash repeats at most one.
 *
 * All code has stored a version before anything else. A state without one is empty, or has lost it; taken for one of
 * the first version, it goes through every step, and what a step finds done already it leaves as it is.
 *
 * @returns Whether the state says its version; if what stands there is none, nothing was changed.
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
  return true;
}

/**
 * @param store - What the state is brought to the current version in.
 * @param checked - The same store as it is used from then on; it keeps a copy of what is damaged.
 * @returns That store, brought to the current version before it is first read or written. A version that cannot be
 * read is replaced with the first change. A wallet that could not be read just now may answer the next request.
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
        await checked.write('version', STATE_VERSION);
        migrated = Promise.resolve(true);
      }
      await checked.write(key, value);
    },
  };
}
