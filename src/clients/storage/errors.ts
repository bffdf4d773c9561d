/**
 * The reason why a call of the storage client failed.
 *
 * - `refused`: the server returned an error status (`status`, and `code` if the server sent one), or the call itself
 *   is not valid.
 * - `stream`: the server reported an error after it had started to respond.
 * - `truncated`: the response has fewer or more bytes than announced or than the CID requires.
 * - `integrity`: the received bytes, or a CID computed by the server, do not match the expected CID.
 * - `unsupported`: the CID uses a hash, codec or base that this client cannot verify.
 * - `network`: the server did not respond, or the connection broke.
 * - `aborted`: the caller's signal cancelled the request.
 *
 * @example
 * ```ts
 * import { StorageError, type StorageErrorKind } from 'keystead/clients';
 * const retried: readonly StorageErrorKind[] = ['network', 'truncated'];
 * const isWorthRetrying = (error: unknown) => error instanceof StorageError && retried.includes(error.kind);
 * ```
 */
export type StorageErrorKind = 'refused' | 'stream' | 'truncated' | 'integrity' | 'unsupported' | 'network' | 'aborted';

/**
 * The error type of the storage clients. `kind` says why the call failed; `status` is the HTTP status and `code` the
 * server's own error code, if there is one.
 *
 * @example
 * ```ts
 * import { StorageClient, StorageError } from 'keystead/clients';
 * const storage = new StorageClient({ url: 'https://storage.example', key: '<API_KEY>', secret: 'wrong' });
 * const error = await storage.add('hello').catch((reason) => reason);
 * error instanceof StorageError; // => true
 * error.kind; // => 'refused'
 * ```
 */
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

/** Bytes that are not valid for their codec. */
export const malformed = (): StorageError => new StorageError('integrity', 'malformed block or CID');

/** A CID or an option has the wrong type for the call. */
export const wrongKind = (what: string, wanted: string): StorageError =>
  new StorageError('refused', `${what} is not a ${wanted}`);
