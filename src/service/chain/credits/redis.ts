import { randomUUID } from 'node:crypto';

import { ClientClosedError, ClientOfflineError, ErrorReply } from '@redis/client';

import { closeRedis, evictionOf, loadScript, type RedisClient, renewIfReplica } from '../../runtime/redis';
import { LedgerUnavailableError, type CreditLedger } from './index';

/**
 * A single script, so that the comparison and the addition are atomic. A debit records its number in a slot of its
 * process, so that it can be reverted even if its response was lost; a debit that was cancelled before it arrived is
 * not made. A debit fails if the stored count is below zero or not a number, because it would give credits away.
 * Arguments: amount, limit, seconds to keep the count, number, seconds to keep the number.
 */
const DEBIT = `
local before = tonumber(redis.call('GET', KEYS[1]) or '0')
if not (before >= 0) then return redis.error_reply('the count of credits is below zero') end
local used = before + tonumber(ARGV[1])
if not (used <= tonumber(ARGV[2])) or redis.call('GET', KEYS[2]) == '-' .. ARGV[4] then return 0 end
redis.call('SET', KEYS[2], ARGV[4], 'EX', ARGV[5])
redis.call('SET', KEYS[1], string.format('%.0f', used), 'EX', ARGV[3])
return 1`;

/**
 * Refunds a debit once, or prevents it from being made. Does nothing if a later operation has taken over its slot,
 * since its outcome is then unknown. Arguments: amount, number, seconds to keep the number.
 */
const CANCEL = `
local mark = tonumber(redis.call('GET', KEYS[2]) or '0')
local number = tonumber(ARGV[2])
if math.abs(mark) > number then return 0 end
redis.call('SET', KEYS[2], '-' .. ARGV[2], 'EX', ARGV[3])
local used = redis.call('GET', KEYS[1])
if mark ~= number or not used then return 0 end
redis.call('SET', KEYS[1], string.format('%.0f', math.max(0, tonumber(used) - tonumber(ARGV[1]))), 'KEEPTTL')
return 1`;

/**
 * Refunds once: it records its number as a debit does. Does nothing if a later operation has taken over its slot, since
 * the outcome is then unknown. Never goes below zero, and never recreates an expired day. Arguments: amount, number,
 * seconds to keep the number.
 */
const REFUND = `
if math.abs(tonumber(redis.call('GET', KEYS[2]) or '0')) >= tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[3])
local used = redis.call('GET', KEYS[1])
if not used then return 0 end
redis.call('SET', KEYS[1], string.format('%.0f', math.max(0, tonumber(used) - tonumber(ARGV[1]))), 'KEEPTTL')
return 1`;

/** The braces put every key in the same slot of a cluster. */
const PREFIX = '{keystead:credits}:';
const keyOf = (account: string, day: string) => `${PREFIX}${account}:${day}`;

/**
 * A day's count expires two days after its last debit. A duration rather than a point in time: clocks may differ, and
 * nothing may expire early.
 */
const TTL_SECONDS = String(2 * 86_400);

/** Debits and refunds of a process whose numbers are kept in Redis, 160 bytes each. */
const SLOTS = 4096;

/** How long the number of a debit is kept. A debit not reverted by then never is. */
const DEBIT_SECONDS = '3600';

/** How long the number of a refund is kept: longer than the day's count, or the refund could be made twice. */
const REFUND_SECONDS = String(3 * 86_400);

/** A command to send again. Redis executes it at most once. */
type Retryable = { keys: string[]; args: string[] };

/** Whether a command may have been executed although it failed: it was sent, but no response came. */
const isUnanswered = (error: unknown) =>
  !(error instanceof ErrorReply || error instanceof ClientOfflineError || error instanceof ClientClosedError);

/**
 * A ledger in Redis, shared by processes on several machines. How much survives a crash of Redis itself depends on its
 * `appendfsync` setting. A debit whose response is lost with the connection fails, and is reverted after reconnecting.
 * A refund that Redis did not confirm is repeated then, and made once.
 *
 * @param client - Connected; the ledger closes it.
 * @returns The ledger.
 */
export async function openRedisLedger(client: RedisClient): Promise<CreditLedger> {
  const unavailable = (cause: unknown) => {
    renewIfReplica(client, cause);
    return new LedgerUnavailableError('the credits ledger in Redis cannot be reached', { cause });
  };
  const request = async <Result>(command: Promise<Result>): Promise<Result> => {
    try {
      return await command;
    } catch (error) {
      throw unavailable(error);
    }
  };

  const debit = await loadScript(client, DEBIT);
  const refund = await loadScript(client, REFUND);
  const cancel = await loadScript(client, CANCEL);

  const slots = `${PREFIX}debit:${randomUUID()}`;
  let last = 0;
  const next = (account: string, amount: number, day: string, seconds: string): Retryable => {
    last += 1;
    const keys = [keyOf(account, day), `${slots}:${last % SLOTS}`];
    return { keys, args: [String(amount), String(last), seconds] };
  };

  /** Debits with an unknown outcome, and refunds not yet made. */
  const unconfirmed: Retryable[] = [];
  const pendingRefunds: Retryable[] = [];

  const addUnconfirmed = (debit: Retryable) => {
    unconfirmed.push(debit);
    // The number of an older debit is no longer kept in Redis either.
    if (unconfirmed.length > SLOTS) unconfirmed.shift();
  };
  const addRefund = (due: Retryable) => {
    pendingRefunds.push(due);
  };

  const retry = () => {
    for (const each of unconfirmed.splice(0)) {
      cancel(each.keys, each.args).catch(() => {
        addUnconfirmed(each);
      });
    }
    for (const each of pendingRefunds.splice(0)) {
      refund(each.keys, each.args).catch(() => {
        addRefund(each);
      });
    }
  };
  client.on('ready', retry);

  return {
    async debit(account, amount, limit, day) {
      const due = next(account, amount, day, DEBIT_SECONDS);
      let took: boolean;
      try {
        const [sum = '', ...number] = due.args;
        took = (await debit(due.keys, [sum, String(limit), TTL_SECONDS, ...number])) === 1;
      } catch (error) {
        if (isUnanswered(error)) addUnconfirmed(due);
        throw unavailable(error);
      }
      // A connected Redis may still refuse commands, for example while loading its data; it accepts them now.
      if (unconfirmed.length + pendingRefunds.length > 0) retry();
      return took;
    },
    async refund(account, amount, day) {
      if (!client.isOpen) throw unavailable(undefined);
      const due = next(account, amount, day, REFUND_SECONDS);
      try {
        await refund(due.keys, due.args);
      } catch {
        addRefund(due);
      }
    },
    async used(account, day) {
      const used = Number((await request(client.get(keyOf(account, day)))) ?? 0);
      if (used >= 0) return used;
      throw new LedgerUnavailableError('the credits ledger in Redis has a count that is no number of credits');
    },
    async check(day) {
      await request(client.set(keyOf('', day), '0', { expiration: { type: 'EX', value: Number(TTL_SECONDS) } }));
    },
    async mayLose() {
      const policy = await evictionOf(client);
      return policy && `Redis may remove keys and credits: its maxmemory-policy is ${policy}, but must be noeviction`;
    },
    async close() {
      await closeRedis(client);
    },
  };
}
