import { KeysUnavailableError, type KeyIdentity, type KeyStore } from '../keys';
import { unauthorized, unavailable } from './errors';

/**
 * Authenticates a caller by the key in the path.
 *
 * @param key - From the path.
 * @returns The identity; synchronously if it is already known.
 * @throws {RpcError} As a rejection: 401 for an unknown or revoked key, 503 if the store is unreachable.
 */
export type Authenticate = (key: string) => KeyIdentity | Promise<KeyIdentity>;

async function ask(keys: KeyStore, key: string): Promise<KeyIdentity> {
  let identity: KeyIdentity | undefined;
  try {
    identity = await keys.verify(key);
  } catch (error) {
    if (error instanceof KeysUnavailableError)
      throw unavailable('API keys cannot be verified right now, try again', error);
    throw error;
  }
  if (!identity) throw unauthorized();
  return identity;
}

/**
 * @param keys - The key store. It is pending once per key in one turn of the event loop, however many requests arrive.
 * No result outlives that turn, so a revoked key stops working at once; what the store itself knows is newer.
 * @returns A function that authenticates callers.
 */
export function authenticator(keys: KeyStore): Authenticate {
  const pending = new Map<string, KeyIdentity | Promise<KeyIdentity>>();
  const forget = () => {
    pending.clear();
  };
  return (key) => {
    const known = keys.known?.(key) ?? pending.get(key);
    if (known) return known;
    if (pending.size === 0) setImmediate(forget);
    const verification = ask(keys, key);
    pending.set(key, verification);
    verification.then(
      (identity) => {
        if (pending.get(key) === verification) pending.set(key, identity);
      },
      () => undefined,
    );
    return verification;
  };
}
