import { SnapError } from '@metamask/snaps-sdk';

import { InternalError, KeysteadError } from '../../core/errors';

/**
 * Converts every error to a `SnapError`. MetaMask stops the snap after any other error, and messages that we did not
 * write may contain a secret, so they are replaced.
 *
 * @throws {SnapError} With the code, message and data of the {@link KeysteadError}.
 */
export async function withSnapErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error =
      thrown instanceof KeysteadError
        ? thrown
        : new InternalError('Keystead failed unexpectedly. Please report what you did.');
    throw new SnapError({ code: error.rpcCode, message: error.message }, error.data);
  }
}
