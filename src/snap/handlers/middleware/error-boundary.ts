import { SnapError } from '@metamask/snaps-sdk';

import { InternalError, KeysteadError } from '../../../core/errors';

/**
 * The one way out for failures. MetaMask stops the snap after any error that is not a `SnapError`, and what we did not
 * write ourselves may hold a secret, so nothing else passes.
 *
 * @throws {SnapError} With the code, the sentence and the data of a {@link KeysteadError}.
 */
export async function withSnapErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error =
      thrown instanceof KeysteadError
        ? thrown
        : new InternalError('Keystead failed in a way it should not. Please report what you did.');
    throw new SnapError({ code: error.rpcCode, message: error.message }, error.data);
  }
}
