import { is, nullable, number, pattern, string, type Struct, type } from '@metamask/superstruct';

import { closeRedis, type RedisClient } from '../runtime/redis';
import {
  generateKey,
  identify,
  identityOf,
  keyId,
  KeysUnavailableError,
  recordOf,
  type KeyStore,
  type StoredKey,
} from './index';

/** A Redis hash: key ID -> the stored key as JSON. */
const KEYS = 'keystead:keys';

/**
 * Replaces a key if it is unchanged, so that only one of two concurrent revocations succeeds. The new JSON is made by
 * the caller, because cjson writes numbers with 14 digits. Arguments: key ID, expected JSON, new JSON.
 */
const REPLACE = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1`;

const Stored: Struct<StoredKey> = type({
  key: string(),
  secretHash: pattern(string(), /^[\da-f]{64}$/u),
  name: string(),
  dailyCredits: nullable(number()),
  createdAt: number(),
  revokedAt: nullable(number()),
});

/** @returns Undefined if it is not JSON; the error of the parser would quote it. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * Keys in Redis, shared by processes on several machines.
 *
 * @param client - Connected; the store closes it.
 * @returns The key store.
 */
export function openRedisKeys(client: RedisClient): KeyStore {
  const request = async <Result>(command: Promise<Result>): Promise<Result> => {
    try {
      return await command;
    } catch (error) {
      throw new KeysUnavailableError('the key store in Redis cannot be reached', { cause: error });
    }
  };
  const parse = (json: string): StoredKey => {
    const stored = parsed(json);
    if (!is(stored, Stored)) throw new KeysUnavailableError('the key store in Redis holds something that is not a key');
    return stored;
  };

  return {
    async create(options = {}) {
      const { secret, stored } = generateKey(options);
      await request(client.hSet(KEYS, keyId(stored.key), JSON.stringify(stored)));
      return { key: stored.key, secret, identity: identityOf(stored) };
    },
    async list() {
      const all = Object.values(await request(client.hGetAll(KEYS))).map(parse);
      return all.sort((a, b) => a.createdAt - b.createdAt || (keyId(a.key) < keyId(b.key) ? -1 : 1)).map(recordOf);
    },
    async revoke(key) {
      const id = keyId(key);
      const found = await request(client.hGet(KEYS, id));
      if (found === null || parse(found).revokedAt !== null) return false;
      const revoked = JSON.stringify({ ...parse(found), revokedAt: Date.now() });
      // Revocation is the only change to a key, so losing the race means it is already revoked.
      return (await request(client.eval(REPLACE, { keys: [KEYS], arguments: [id, found, revoked] }))) === 1;
    },
    async verify(key, secret) {
      const found = await request(client.hGet(KEYS, keyId(key)));
      return identify(found === null ? undefined : parse(found), secret);
    },
    async close() {
      await closeRedis(client);
    },
  };
}
