import { KeysUnavailableError, type KeyIdentity, type KeyStore } from '../keys';
import { unauthorized, unavailable } from './errors';

/**
 * Finds out who asks, by the key in the path.
 *
 * @param key - From the path.
 * @returns The identity; at once where it is known already.
 * @throws {RpcError} Not at once: 401 for a key that is unknown or revoked, 503 if the store cannot be asked.
 */
export type Authenticate = (key: string) => KeyIdentity | Promise<KeyIdentity>;

async function ask(keys: KeyStore, key: string): Promise<KeyIdentity> {
  let identity: KeyIdentity | undefined;
  try {
    identity = await keys.verify(key);
  } catch (error) {
    if (error instanceof KeysUnavailableError) throw unavailable('keys cannot be checked now, try again', error);
    throw error;
  }
  if (!identity) throw unauthorized();
  return identity;
}

/**
 * @param keys - The key store. It is asked once for a key in one turn of the event loop, however many requests come in:
 * no answer outlives that turn, so that a revoked key is out at once.
 * @returns Finds out who asks.
 */
export function authenticator(keys: KeyStore): Authenticate {
  const asked = new Map<string, KeyIdentity | Promise<KeyIdentity>>();
  const forget = () => {
    asked.clear();
  };
  return (key) => {
    const known = asked.get(key);
    if (known) return known;
    if (asked.size === 0) setImmediate(forget);
    const question = ask(keys, key);
    asked.set(key, question);
    question.then(
      (identity) => {
        if (asked.get(key) === question) asked.set(key, identity);
      },
      () => undefined,
    );
    return question;
  };
}
