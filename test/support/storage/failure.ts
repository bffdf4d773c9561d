import { StorageError } from '../../../src/clients/storage';

/** The error of a client call. @throws Error if the call succeeds, or fails with another kind of error. */
export async function failureOf(action: Promise<unknown>): Promise<StorageError> {
  const error: unknown = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof StorageError) return error;
  throw new Error(`expected a StorageError, got ${String(error)}`);
}
