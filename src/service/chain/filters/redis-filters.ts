import { closeRedis, loadScript, type RedisClient, renewIfReplica } from '../../runtime/redis';
import { FILTER_MS, type FilterOwner, type FilterStore, type StoredFilter, storeUnavailable } from './filter-store';

/*
 * The filters of an owner are the fields of one hash: the time at which each ends, and its JSON. Redis has the clock.
 * For each place of a filter at a node, a key names its hash and its field, as long as the filter lasts.
 */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function ends(row) return tonumber(string.match(row, '^%d+')) end`;

/** Arguments: ID, JSON, the most filters, milliseconds, place. */
const ADD = `${NOW}
local lost = redis.call('GET', ARGV[5])
if lost then redis.call('HDEL', string.match(lost, '^(.*) (.*)$')) end
local all = redis.call('HGETALL', KEYS[1])
local count = 0
for i = 1, #all, 2 do
  if ends(all[i + 1]) <= now then redis.call('HDEL', KEYS[1], all[i]) else count = count + 1 end
end
if count >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f ', now + ARGV[4]) .. ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('SET', ARGV[5], KEYS[1] .. ' ' .. ARGV[1], 'PX', ARGV[4])
return 1`;

const FIND = `${NOW}
local row = redis.call('HGET', KEYS[1], ARGV[1])
if not row then return false end
if ends(row) <= now then redis.call('HDEL', KEYS[1], ARGV[1]) return false end
local json = string.match(row, ' (.*)$')`;

/** Arguments: ID, milliseconds, what the places of the network begin with. */
const USE = `${FIND}
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f ', now + ARGV[2]) .. json)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
local filter = cjson.decode(json)
redis.call('PEXPIRE', ARGV[3] .. filter.node .. ':' .. filter.id, ARGV[2])
return json`;

/** Argument: ID. */
const REMOVE = `${FIND}
redis.call('HDEL', KEYS[1], ARGV[1])
return json`;

/** The braces put every key in the same slot of a cluster. */
const ROOT = '{keystead:filters}:';
const keyOf = ({ key, network }: FilterOwner) => `${ROOT}${key}:${network}`;
const placesOf = ({ network }: FilterOwner) => `${ROOT}at:${network}:`;

/**
 * Keeps filters in Redis, for processes on several machines.
 *
 * @param client - Connected; closed with the store.
 * @returns The store.
 */
export async function openRedisFilters(client: RedisClient): Promise<FilterStore> {
  const [add, use, remove] = [
    await loadScript(client, ADD),
    await loadScript(client, USE),
    await loadScript(client, REMOVE),
  ];
  const run = async (script: typeof add, owner: FilterOwner, ...args: (string | number)[]): Promise<unknown> => {
    try {
      return await script([keyOf(owner)], args.map(String));
    } catch (error) {
      renewIfReplica(client, error);
      throw storeUnavailable(error);
    }
  };
  const read = (json: unknown) => (typeof json === 'string' ? (JSON.parse(json) as StoredFilter) : undefined);
  return {
    add: async (owner, id, filter, limit) => {
      const place = `${placesOf(owner)}${filter.node}:${filter.id}`;
      return (await run(add, owner, id, JSON.stringify(filter), limit, FILTER_MS, place)) === 1;
    },
    use: async (owner, id) => read(await run(use, owner, id, FILTER_MS, placesOf(owner))),
    remove: async (owner, id) => read(await run(remove, owner, id)),
    close: () => closeRedis(client),
  };
}
