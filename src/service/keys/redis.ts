import { closeRedis, type RedisClient } from '../runtime/redis';
import {
  editedOf,
  generateKey,
  identify,
  identityOf,
  isReplacedBy,
  isValid,
  keyId,
  KeysUnavailableError,
  recordOf,
  rotated,
  type KeyStore,
  type OnUnreadable,
  type StoredKey,
} from './index';
import { checked, parsed, readable } from './stored';

/** A Redis hash: key ID -> the stored key as JSON. */
const KEYS = 'keystead:keys';

/**
 * Stores keys if one of them is unchanged, so that no concurrent change is lost. The new JSON is made by the caller,
 * because cjson writes numbers with 14 digits. Arguments: ID and expected JSON of that key, then IDs and new JSON.
 */
const REPLACE = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
for i = 3, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
return 1`;

/** What could not be read again would make the key useless. */
const written = (stored: StoredKey): [string, string] => [keyId(stored.key), JSON.stringify(checked(stored, 'Redis'))];

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
  const parse = (json: string): StoredKey => checked(parsed(json), 'Redis');
  const list = async (onUnreadable?: OnUnreadable): Promise<StoredKey[]> =>
    readable(Object.entries(await request(client.hGetAll(KEYS))), parse, onUnreadable);
  /** Those that a change of another key may concern. One that cannot be read admits nobody. */
  const listReadable = () => list(() => undefined);

  /**
   * Changes a key.
   *
   * @param compute - Called again if the key has changed meanwhile; returns what to store, or undefined for no change.
   * @returns The result of the change; undefined if there is no such key.
   */
  const change = async <Result>(
    id: string,
    compute: (stored: StoredKey) => { result: Result; records: readonly StoredKey[] } | undefined,
  ): Promise<Result | undefined> => {
    for (;;) {
      const found = await request(client.hGet(KEYS, id));
      const computed = found === null ? undefined : compute(parse(found));
      if (found === null || computed === undefined) return undefined;
      const args = [id, found, ...computed.records.flatMap(written)];
      if ((await request(client.eval(REPLACE, { keys: [KEYS], arguments: args }))) === 1) return computed.result;
    }
  };

  return {
    async create(options = {}) {
      const { secret, stored } = generateKey(options);
      await request(client.hSet(KEYS, ...written(stored)));
      return { key: stored.key, secret, identity: identityOf(stored) };
    },
    async list(onUnreadable) {
      const all = await list(onUnreadable);
      return all.sort((a, b) => a.createdAt - b.createdAt || (keyId(a.key) < keyId(b.key) ? -1 : 1)).map(recordOf);
    },
    async isEmpty() {
      return (await request(client.hLen(KEYS))) === 0;
    },
    async edit(key, changed) {
      const named = await request(client.hGet(KEYS, keyId(key)));
      if (named === null || parse(named).revokedAt !== null) return undefined;
      const { id } = identityOf(parse(named));
      const done = new Map<string, StoredKey | undefined>();
      for (;;) {
        // A key may have been replaced meanwhile, by one that has its old limits.
        const all = (await listReadable()).filter((stored) => identityOf(stored).id === id && !done.has(stored.key));
        if (all.length === 0) break;
        for (const each of all)
          done.set(
            each.key,
            await change(keyId(each.key), (stored) => {
              const next = editedOf(stored, key, changed);
              return { result: next, records: [next] };
            }),
          );
      }
      const record = done.get(key);
      return record && recordOf(record);
    },
    async rotate(key, what, until) {
      return change(keyId(key), (found) => {
        if (!isValid(found)) return undefined;
        const { secret, stored, old } = rotated(found, what, until);
        const result = { key: stored.key, secret, identity: identityOf(stored) };
        return { result, records: old ? [stored, old] : [stored] };
      });
    },
    async revoke(key) {
      const revokeOne = (id: string): Promise<true | undefined> =>
        change(id, (stored) =>
          stored.revokedAt === null ? { result: true, records: [{ ...stored, revokedAt: Date.now() }] } : undefined,
        );
      const named = await request(client.hGet(KEYS, keyId(key)));
      if (named === null) return false;
      const done = await revokeOne(keyId(key));
      const all = await listReadable();
      for (const each of all.filter((stored) => isReplacedBy(stored, parse(named)))) await revokeOne(keyId(each.key));
      return done === true;
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
