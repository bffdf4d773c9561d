import { InternalError, KeysteadError } from '../errors';

/**
 * What the wallet takes from a snap as meant, in the form of `SnapError` of MetaMask's snaps-sdk: it knows it by
 * what `serialize` returns. After anything else it stops the snap.
 */
export class SnapError extends Error {
  override readonly name = 'SnapError';
  readonly code: number;
  readonly data: KeysteadError['data'];

  constructor({ rpcCode, message, data }: KeysteadError) {
    super(message);
    this.code = rpcCode;
    this.data = data;
  }

  serialize() {
    const { code, message, data, stack = null } = this;
    return { code: -31002, message: 'Snap Error', data: { cause: { code, message, stack, data } } };
  }
}

/**
 * The one way out for failures. What we did not write ourselves may hold a secret, so nothing else passes.
 *
 * @throws {SnapError} With the code, the sentence and the data of a {@link KeysteadError}.
 */
export async function withSnapErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new SnapError(
      error instanceof KeysteadError
        ? error
        : new InternalError('Keystead failed in a way it should not. Please report what you did.'),
    );
  }
}
