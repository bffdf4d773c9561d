import { StateError } from '../../core/errors';
import { type StateStore } from './state';
import { integer } from '../../core/structs/struct';

/** The schema version of the state. The first release has version 2. */
export const STATE_VERSION = 2;

/** A schema version of this or a later release. */
export const VersionStruct = integer(STATE_VERSION, Number.MAX_SAFE_INTEGER);

/**
 * Checks the schema version of the stored state. Every release stores it before anything else, so a state without a
 * version is empty or has lost it, and gets the current one.
 *
 * @returns Whether the state has a valid version. If not, nothing was changed.
 * @throws {StateError} If the state is newer than this code. Nothing is changed then.
 */
async function hasVersion(state: StateStore): Promise<boolean> {
  const stored = await state.read('version');
  if (stored === null) {
    await state.write('version', STATE_VERSION);
    return true;
  }
  if (!VersionStruct.is(stored)) return false;
  if (stored > STATE_VERSION) {
    throw new StateError(
      `The stored accounts were written by a newer version of Keystead (state version ${stored}; this version reads ${STATE_VERSION}). Nothing was changed.`,
    );
  }
  return true;
}

/**
 * @param store - The store whose version is checked.
 * @param checked - The same store for later use, which saves copies of damaged data.
 * @returns The checked store, whose version is checked before the first access. An unreadable version is replaced with
 * the first change. If the check fails, the next access tries again.
 */
export function versionedState(store: StateStore, checked = store): StateStore {
  let versioned: Promise<boolean> | undefined;
  const ready = async (): Promise<boolean> => {
    versioned ??= hasVersion(store);
    try {
      return await versioned;
    } catch (error) {
      versioned = undefined;
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
        versioned = Promise.resolve(true);
      }
      await checked.write(key, value);
    },
  };
}
