import { type Json } from '@metamask/snaps-sdk';

import { StateError } from '../../core/errors';

/** The snap's storage in MetaMask: one JSON object, accessed by key. Each call is atomic. */
export type StateStore = {
  /** @returns The value under the key, or null. Dots in the key separate nested members. */
  readonly read: (key: string) => Promise<Json>;
  readonly write: (key: string, value: Json) => Promise<void>;
};

/** Omits MetaMask's own message, which may quote the value to be stored. */
async function orStateError<T>(request: Promise<T>, failure: string): Promise<T> {
  try {
    return await request;
  } catch {
    throw new StateError(failure);
  }
}

const storeOf = (encrypted: boolean): StateStore => ({
  read: (key) =>
    orStateError(
      snap.request({ method: 'snap_getState', params: { key, encrypted } }),
      'The wallet could not read the data that Keystead has stored. Try again.',
    ),
  write: async (key, value) => {
    await orStateError(
      snap.request({ method: 'snap_setState', params: { key, value, encrypted } }),
      'The wallet could not store the change.',
    );
  },
});

/** Encrypted, so that it can be read only while the wallet is unlocked. */
export const snapState = storeOf(true);

/** Not encrypted, so that it can be read while the wallet is locked, and by whoever can read the browser's files. */
export const openState = storeOf(false);
