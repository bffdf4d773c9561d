/*
 * State shared in Redis by the processes of several machines, changed by scripts so that each step is atomic. Keys, all
 * with one prefix:
 *   index              hash: multihash (base64) -> "segment offset length crc"
 *   sizes, live        hashes: segment -> bytes of the object, bytes of it that the index refers to
 *   processes          set: processes that keep blocks
 *   touched:<process>  sorted set: block -> when it was last touched (ms)
 *   released           set: blocks that sessions released while the sweep runs; it keeps them, too
 *   removals           hash: block being removed individually -> token of the removal; a session that touches it, or
 *                      ends having touched it, deletes the entry
 *   damaged            set: segments of which a block could not be read as it was stored; they are not dropped
 *   dropped            sorted set: segments that were removed -> when (ms); their names are never reused
 *   sweep              token of the running sweep; expires if its process dies
 *   run, since         the run of Redis that the rest was last checked against, and since when `touched` is complete
 *
 * Times are those of Redis, because the clocks of the machines may differ.
 */

const NOW = `local t = redis.call('TIME') local now = t[1] * 1000 + math.floor(t[2] / 1000)`;

/** A key with the prefix in KEYS[1]. */
const KEY = `local function key(name) return KEYS[1] .. name end`;

const ACCOUNT = `
local function account(place, sign)
  local segment, length = string.match(place, '^(%S+) %d+ (%d+) ')
  redis.call('HINCRBY', key('live'), segment, sign * tonumber(length))
end`;

/** How long (ms) nothing may be removed yet, because touches from before `since` may have been lost. Needs NOW. */
const WAIT = `
local function wait(keep) return tonumber(redis.call('GET', key('since')) or '0') + keep - now end`;

/** Whether a process is using the block; older touches belong to processes that died. */
const IS_TOUCHED = `
local processes = redis.call('SMEMBERS', key('processes'))
local function touched(block, from)
  for _, process in ipairs(processes) do
    local at = redis.call('ZSCORE', key('touched:' .. process), block)
    if at and tonumber(at) >= from then return true end
  end
  return false
end`;

/** ARGV: process, keys. Returns 0 if Redis has lost its data, so that the index must be checked. */
export const TOUCH = `${KEY} ${NOW}
redis.call('SADD', key('processes'), ARGV[1])
for i = 2, #ARGV do
  redis.call('ZADD', key('touched:' .. ARGV[1]), now, ARGV[i])
  redis.call('HDEL', key('removals'), ARGV[i])
end
return redis.call('EXISTS', key('run'))`;

/** ARGV: process, how long touches count (ms), keys. A running sweep still keeps them. */
export const RELEASE = `${KEY} ${NOW}
local sweeps = redis.call('EXISTS', key('sweep')) == 1
local touched = key('touched:' .. ARGV[1])
for i = 3, #ARGV do
  redis.call('HDEL', key('removals'), ARGV[i])
  if sweeps then redis.call('SADD', key('released'), ARGV[i]) end
  redis.call('ZREM', touched, ARGV[i])
end
redis.call('ZREMRANGEBYSCORE', touched, '-inf', now - ARGV[2])
if redis.call('EXISTS', touched) == 0 then redis.call('SREM', key('processes'), ARGV[1]) end
return 1`;

/**
 * ARGV: segment, its size, then alternating key and place. A block that is already stored stays where it is. Returns 0
 * if the segment was dropped: its objects are gone, or about to be.
 */
export const REGISTER = `${KEY} ${ACCOUNT}
if redis.call('ZSCORE', key('dropped'), ARGV[1]) then return 0 end
redis.call('HSET', key('sizes'), ARGV[1], ARGV[2])
redis.call('HSETNX', key('live'), ARGV[1], 0)
for i = 3, #ARGV, 2 do
  if redis.call('HSETNX', key('index'), ARGV[i], ARGV[i + 1]) == 1 then account(ARGV[i + 1], 1) end
end
return 1`;

/**
 * ARGV: key, place. Forgets a damaged block, so that it can be stored again; its segment stays, because the object store
 * may return the right bytes later. Returns whether the block was there.
 */
export const FORGET_DAMAGED = `${KEY} ${ACCOUNT}
local place = redis.call('HGET', key('index'), ARGV[1])
if place ~= ARGV[2] then return 0 end
redis.call('HDEL', key('index'), ARGV[1])
account(place, -1)
redis.call('SADD', key('damaged'), string.match(place, '^(%S+) '))
return 1`;

/** ARGV: token, block, how long touches count (ms). Begins to remove one block; returns why it may not be removed. */
export const BEGIN_REMOVAL = `${KEY} ${NOW} ${WAIT}
if wait(ARGV[3]) > 0 then return 'wait ' .. math.ceil(wait(ARGV[3]) / 1000) end
redis.call('HSET', key('removals'), ARGV[2], ARGV[1])
return ''`;

/**
 * ARGV: token, block, how long touches count (ms). Removes the block unless a process is using it, or has used it since
 * the removal began. Returns whether it existed; -1 if it must stay.
 */
export const FINISH_REMOVAL = `${KEY} ${NOW} ${ACCOUNT} ${IS_TOUCHED}
if redis.call('HGET', key('removals'), ARGV[2]) ~= ARGV[1] then return -1 end
if touched(ARGV[2], now - ARGV[3]) then return -1 end
local place = redis.call('HGET', key('index'), ARGV[2])
if not place then return 0 end
redis.call('HDEL', key('index'), ARGV[2])
account(place, -1)
return 1`;

/** ARGV: token, block. */
export const END_REMOVAL = `${KEY}
if redis.call('HGET', key('removals'), ARGV[2]) == ARGV[1] then redis.call('HDEL', key('removals'), ARGV[2]) end
return 1`;

/** ARGV: token, time to live (ms), how long touches count (ms). Returns when the sweep began, or why it may not run. */
export const BEGIN_SWEEP = `${KEY} ${NOW} ${WAIT}
if wait(ARGV[3]) > 0 then return 'wait ' .. math.ceil(wait(ARGV[3]) / 1000) end
if not redis.call('SET', key('sweep'), ARGV[1], 'NX', 'PX', ARGV[2]) then return 'running' end
redis.call('DEL', key('released'))
return tostring(now)`;

/** ARGV: token, time to live (ms). Returns whether the sweep is still the running one. */
export const RENEW_SWEEP = `${KEY}
if redis.call('GET', key('sweep')) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', key('sweep'), ARGV[2])
return 1`;

/** A process that learned of a segment before it was dropped will not register it later than this (ms). */
const DROPPED_MS = 7 * 24 * 3600 * 1000;

/** ARGV: token, how long touches count (ms). Forgets touches of processes that died. */
export const END_SWEEP = `${KEY} ${NOW}
if redis.call('GET', key('sweep')) ~= ARGV[1] then return 0 end
redis.call('DEL', key('sweep'), key('released'))
redis.call('ZREMRANGEBYSCORE', key('dropped'), '-inf', now - ${DROPPED_MS})
for _, process in ipairs(redis.call('SMEMBERS', key('processes'))) do
  redis.call('ZREMRANGEBYSCORE', key('touched:' .. process), '-inf', now - ARGV[2])
  if redis.call('EXISTS', key('touched:' .. process)) == 0 then redis.call('SREM', key('processes'), process) end
end
return 1`;

/**
 * ARGV: token, from when on touches count (ms), keys. Removes those that no process is using or has used since the
 * sweep began, and returns them; false if the sweep is no longer the running one.
 */
export const SWEEP = `${KEY} ${ACCOUNT} ${IS_TOUCHED}
if redis.call('GET', key('sweep')) ~= ARGV[1] then return false end
local removed = {}
for i = 3, #ARGV do
  local kept = redis.call('SISMEMBER', key('released'), ARGV[i]) == 1 or touched(ARGV[i], tonumber(ARGV[2]))
  local place = not kept and redis.call('HGET', key('index'), ARGV[i])
  if place then
    redis.call('HDEL', key('index'), ARGV[i])
    account(place, -1)
    removed[#removed + 1] = ARGV[i]
  end
end
return removed`;

/** ARGV: token, new segment, its size, then repeated key, old place, new place. Blocks moved meanwhile stay. */
export const MOVE = `${KEY} ${ACCOUNT}
if redis.call('GET', key('sweep')) ~= ARGV[1] then return false end
redis.call('HSET', key('sizes'), ARGV[2], ARGV[3])
redis.call('HSETNX', key('live'), ARGV[2], 0)
for i = 4, #ARGV, 3 do
  if redis.call('HGET', key('index'), ARGV[i]) == ARGV[i + 1] then
    redis.call('HSET', key('index'), ARGV[i], ARGV[i + 2])
    account(ARGV[i + 1], -1)
    account(ARGV[i + 2], 1)
  end
end
return 1`;

/** ARGV: token, segment. Forgets an unreferenced segment for good; returns whether it did. */
export const DROP = `${KEY} ${NOW}
if redis.call('GET', key('sweep')) ~= ARGV[1] then return false end
if tonumber(redis.call('HGET', key('live'), ARGV[2]) or '0') ~= 0 then return 0 end
if redis.call('SISMEMBER', key('damaged'), ARGV[2]) == 1 then return 0 end
redis.call('HDEL', key('sizes'), ARGV[2])
redis.call('HDEL', key('live'), ARGV[2])
redis.call('ZADD', key('dropped'), now, ARGV[2])
return 1`;

/**
 * ARGV: run of Redis, whether blocks are already stored. Returns whether the run is new, so that the index must be
 * checked.
 */
export const BEGIN_RUN = `${KEY} ${NOW}
if redis.call('GET', key('run')) == ARGV[1] then return 0 end
redis.call('SET', key('run'), ARGV[1])
if ARGV[2] == '1' then redis.call('SET', key('since'), now) end
return 1`;
