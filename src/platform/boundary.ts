import { SnapError } from '@metamask/snaps-sdk';

import { InternalError, KeysteadError } from '../errors';

/**
 * The one way out for failures. The wallet stops a snap that throws anything but a `SnapError`, and what
 * we did not write ourselves may hold a secret, so nothing else passes.
 *
 * @throws {SnapError} With the code, the sentence and the data of a {@link KeysteadError}.
 */
export async function withSnapErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const known =
      error instanceof KeysteadError
        ? error
        : new InternalError('Keystead failed in a way it should not. Please report what you did.');
    throw new SnapError({ code: known.rpcCode, message: known.message }, known.data);
  }
}
