import { closeRedis, type RedisClient } from '../runtime/redis';
import { DAYS, KINDS, type Kind, type Row, type State, type UseStore } from './use';

const DAY_MS = 86_400_000;
/** Redis forgets a day, and the state of a key that is not used, by itself. */
const KEEP_SECONDS = (DAYS + 2) * 86_400;
const KEEP_STATE_SECONDS = 400 * 86_400;

const stateKey = (id: string) => `keystead:use:${id}`;
const dayKey = (id: string, day: string) => `${stateKey(id)}:${day}`;

/**
 * Keeps use in Redis: one hash for each key and day, and one for the state of a key.
 *
 * @param client - Connected; the store closes it.
 * @param now - For which days to look.
 */
export function openRedisUse(client: RedisClient, now: () => number = Date.now): UseStore {
  return {
    async add(uses) {
      const batch = client.multi();
      for (const { user, day, counts, state } of uses) {
        const key = dayKey(user.id, day);
        for (const kind of KINDS)
          for (const [name, amount] of counts[kind]) batch.hIncrBy(key, `${kind}:${name}`, amount);
        batch.expire(key, KEEP_SECONDS);
        for (const [name, value] of Object.entries(state)) batch.hSet(stateKey(user.id), name, String(value));
        batch.expire(stateKey(user.id), KEEP_STATE_SECONDS);
      }
      await batch.exec();
    },
    async read(id) {
      const days = Array.from({ length: DAYS + 1 }, (_, i) =>
        new Date(now() - (DAYS - i) * DAY_MS).toISOString().slice(0, 10),
      );
      const [state, ...hashes] = await Promise.all([
        client.hGetAll(stateKey(id)),
        ...days.map((day) => client.hGetAll(dayKey(id, day))),
      ]);
      const rows = hashes.flatMap((hash, i) =>
        Object.entries(hash).map(([field, amount]): Row => {
          const colon = field.indexOf(':');
          const kind = field.slice(0, colon) as Kind;
          return { day: days[i] ?? '', kind, name: field.slice(colon + 1), amount: Number(amount) };
        }),
      );
      const values = Object.entries(state).map(([name, value]) => [name, Number(value)]);
      return { rows, state: Object.fromEntries(values) as State };
    },
    close: () => closeRedis(client),
  };
}
