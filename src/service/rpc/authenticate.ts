import { KeysUnavailableError, type KeyIdentity, type KeyStore } from '../keys';
import { RpcError, unauthorized, unavailable } from './errors';

/**
 * Finds out who asks, by the key in the path.
 *
 * @param key - From the path.
 * @returns The identity.
 * @throws {RpcError} 401 for a key that is unknown or revoked, 503 if the store cannot be asked.
 */
export type Authenticate = (key: string) => Promise<KeyIdentity>;

async function ask(keys: KeyStore, key: string): Promise<KeyIdentity | RpcError> {
  try {
    return (await keys.verify(key)) ?? unauthorized();
  } catch (error) {
    if (error instanceof KeysUnavailableError) return unavailable('keys cannot be checked now, try again', error);
    throw error;
  }
}

/**
 * @param keys - The key store. It is asked once for a key in one turn of the event loop, however many requests come in:
 * no answer outlives that turn, so that a revoked key is out at once.
 * @returns Finds out who asks.
 */
export function authenticator(keys: KeyStore): Authenticate {
  const asked = new Map<string, Promise<KeyIdentity | RpcError>>();
  return async (key) => {
    if (asked.size === 0) setImmediate(() => asked.clear());
    const question = asked.get(key) ?? ask(keys, key);
    asked.set(key, question);
    const answer = await question;
    if (answer instanceof RpcError) throw answer;
    return answer;
  };
}
