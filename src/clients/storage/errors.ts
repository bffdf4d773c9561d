/**
 * Why a call of the storage client failed.
 *
 * - `refused`: the server answered with an error status (`status`, and `code` when it sent one).
 * - `stream`: the server reported an error after it had begun to answer.
 * - `truncated`: less (or more) arrived than was announced or than belongs to the CID.
 * - `integrity`: bytes, or a CID the server computed, are not what the CID says.
 * - `unsupported`: the CID uses a hash, codec or base this client does not check.
 * - `network`: no answer, or the connection broke.
 * - `aborted`: the caller's signal.
 */
export type StorageErrorKind = 'refused' | 'stream' | 'truncated' | 'integrity' | 'unsupported' | 'network' | 'aborted';

/** Every error of the storage client. */
export class StorageError extends Error {
  override readonly name = 'StorageError';

  constructor(
    readonly kind: StorageErrorKind,
    message: string,
    readonly status?: number,
    readonly code?: number,
  ) {
    super(message);
  }
}

/** Bytes that are not what their codec says. */
export const malformed = (): StorageError => new StorageError('integrity', 'malformed block or CID');

/** A CID leads to something else than the call is for, or an option is something else. */
export const wrongKind = (what: string, wanted: string): StorageError =>
  new StorageError('refused', `${what} is not a ${wanted}`);
