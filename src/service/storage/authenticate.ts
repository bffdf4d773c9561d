import { type KeyStore, KeysUnavailableError } from '../keys';
import { type Authenticate } from './api/access';
import { RequestError } from './errors';

/**
 * Authenticates callers by key and secret.
 *
 * @param keys - The key store.
 * @returns A function that rejects with RequestError 503 while the store is unreachable.
 */
export function authenticateWith(keys: Pick<KeyStore, 'verify'>): Authenticate {
  return async (key, secret) => {
    try {
      return (await keys.verify(key, secret))?.id;
    } catch (error) {
      if (!(error instanceof KeysUnavailableError)) throw error;
      throw new RequestError(503, 'API keys cannot be verified right now; try again');
    }
  };
}
