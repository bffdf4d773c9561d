import { RequestError } from '../../../errors';
import { type Call } from '../../route';
import { type StorageService } from '../../service';

/**
 * Whose pins a request is about: the caller's, or with our extension `tenant`, the ID of any key, those of that key.
 *
 * @throws RequestError 403 if the caller is not an operator and names another key.
 */
export async function ownerFor(
  { isOperator }: Pick<StorageService, 'isOperator'>,
  { tenant }: Pick<Call<unknown>, 'tenant'>,
  wanted = tenant,
): Promise<string> {
  if (wanted !== tenant && !(await isOperator(tenant)))
    throw new RequestError(
      403,
      '403 - Forbidden: only operators may see or remove the pins of others (see storage.operators)',
    );
  return wanted;
}
