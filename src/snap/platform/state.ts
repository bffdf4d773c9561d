import { type Json } from '@metamask/snaps-sdk';

import { StateError } from '../../core/errors';

/** The snap's encrypted storage in the wallet: one JSON object, read and written by key, atomically a call. */
export type StateStore = {
  /** @returns What is stored under the key (dots go deeper), or null. */
  readonly read: (key: string) => Promise<Json>;
  readonly write: (key: string, value: Json) => Promise<void>;
};

/** The wallet's own words are left out: they may quote what was to be stored. */
async function orStateError<T>(request: Promise<T>, failure: string): Promise<T> {
  try {
    return await request;
  } catch {
    throw new StateError(failure);
  }
}

export const snapState: StateStore = {
  read: (key) =>
    orStateError(
      snap.request({ method: 'snap_getState', params: { key, encrypted: true } }),
      'The wallet could not read what Keystead has stored. Please try again.',
    ),
  write: async (key, value) => {
    await orStateError(
      snap.request({ method: 'snap_setState', params: { key, value, encrypted: true } }),
      'The wallet could not store the change.',
    );
  },
};
