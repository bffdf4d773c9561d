import { RequestError } from '../errors';
import { type Call } from './route';
import { type StorageService } from './service';

/** @throws RequestError 403 that says what only operators may do, if the caller is not one. */
export async function mustBeOperator(
  { isOperator }: Pick<StorageService, 'isOperator'>,
  tenant: string,
  what: string,
): Promise<void> {
  if (await isOperator(tenant)) return;
  throw new RequestError(403, `403 - Forbidden: only operators may ${what} (see storage.operators)`);
}

/**
 * Whose pins a request is about: the caller's, or with our extension `tenant`, the ID of any key, those of that key.
 *
 * @throws RequestError 403 if the caller is not an operator and names another key.
 */
export async function ownerFor(
  service: Pick<StorageService, 'isOperator'>,
  { tenant }: Pick<Call<unknown>, 'tenant'>,
  wanted = tenant,
): Promise<string> {
  if (wanted !== tenant) await mustBeOperator(service, tenant, 'see or remove the pins of others');
  return wanted;
}
