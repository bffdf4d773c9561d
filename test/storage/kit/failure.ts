import { StorageError } from '../../../src/clients/storage';

/** The error of a call of the client. @throws Error when there is none, or another kind of one. */
export async function failureOf(action: Promise<unknown>): Promise<StorageError> {
  const error: unknown = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof StorageError) return error;
  throw new Error(`expected a StorageError, got ${String(error)}`);
}
