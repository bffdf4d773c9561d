import { randomUUID } from 'node:crypto';

import { ClientClosedError, ClientOfflineError, ErrorReply } from '@redis/client';

import { loadScript, type RedisClient } from '../../redis';
import { LedgerUnavailableError, type CreditLedger } from './index';

/**
 * One script, so that nobody can come between the comparison and the addition. What is taken leaves its number in a place of
 * the process, so that it can be taken back though nobody heard of it; a debit that was cancelled before it arrived is
 * not made. Arguments: amount, limit, seconds that the count lives, number, seconds that the number lives.
 */
const DEBIT = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0') + tonumber(ARGV[1])
if used > tonumber(ARGV[2]) or redis.call('GET', KEYS[2]) == '-' .. ARGV[4] then return 0 end
redis.call('SET', KEYS[2], ARGV[4], 'EX', ARGV[5])
redis.call('SET', KEYS[1], string.format('%.0f', used), 'EX', ARGV[3])
return 1`;

/**
 * Gives back what a debit took, once, or keeps it from being made. If a later debit has its place already, nothing is known
 * of it any more. Arguments: amount, number, seconds that the number lives.
 */
const CANCEL = `
local mark = tonumber(redis.call('GET', KEYS[2]) or '0')
local number = tonumber(ARGV[2])
if math.abs(mark) > number or mark == -number then return 0 end
redis.call('SET', KEYS[2], '-' .. ARGV[2], 'EX', ARGV[3])
local used = redis.call('GET', KEYS[1])
if mark ~= number or not used then return 0 end
redis.call('SET', KEYS[1], string.format('%.0f', math.max(0, tonumber(used) - tonumber(ARGV[1]))), 'KEEPTTL')
return 1`;

/** Never below zero, and never brings back a day that has expired. */
const REFUND = `
local used = redis.call('GET', KEYS[1])
if not used then return 0 end
redis.call('SET', KEYS[1], string.format('%.0f', math.max(0, tonumber(used) - tonumber(ARGV[1]))), 'KEEPTTL')
return 1`;

/** In braces: every key in the same slot of a cluster. */
const PREFIX = '{keystead:credits}:';
const keyOf = (account: string, day: string) => `${PREFIX}${account}:${day}`;

/** A day's count outlives its last debit by two days. Not a moment: clocks may differ, and nothing may expire early. */
const TTL_SECONDS = String(2 * 86_400);

/** Debits of a process whose numbers are kept in Redis, 160 bytes each; and for how long after the last one there. */
const PLACES = 4096;
const NUMBER_SECONDS = '3600';

/** A debit of which it is not known whether it was made. */
type Lost = { keys: string[]; amount: string; number: string };

/** Whether a command may have been carried out although it failed: it was sent, and no answer came. */
const isUnanswered = (error: unknown) =>
  !(error instanceof ErrorReply || error instanceof ClientOfflineError || error instanceof ClientClosedError);

/**
 * A ledger in Redis, shared by processes on several machines. How much survives a crash of Redis itself is a matter of
 * its `appendfsync` setting. Debits whose answers were lost with the connection have failed: when it is there again they are
 * taken back.
 *
 * @param client - Connected; the ledger closes it.
 * @returns The ledger.
 */
export async function openRedisLedger(client: RedisClient): Promise<CreditLedger> {
  const unavailable = (cause: unknown) =>
    new LedgerUnavailableError('the credits ledger in Redis cannot be reached', { cause });
  const asked = async <Result>(question: Promise<Result>): Promise<Result> => {
    try {
      return await question;
    } catch (error) {
      throw unavailable(error);
    }
  };

  const debit = await asked(loadScript(client, DEBIT));
  const refund = await asked(loadScript(client, REFUND));
  const cancel = await asked(loadScript(client, CANCEL));

  const places = `${PREFIX}debit:${randomUUID()}`;
  let last = 0;
  const lost: Lost[] = [];

  const lose = (debit: Lost) => {
    lost.push(debit);
    // The number of one that is older is not kept either.
    if (lost.length > PLACES) lost.shift();
  };

  const takeBack = async (each: Lost) => {
    try {
      await cancel(each.keys, [each.amount, each.number, NUMBER_SECONDS]);
    } catch {
      // Lost again: at the next connection.
      lose(each);
    }
  };
  client.on('ready', () => {
    for (const each of lost.splice(0)) void takeBack(each);
  });

  return {
    async debit(account, amount, limit, day) {
      last += 1;
      const keys = [keyOf(account, day), `${places}:${last % PLACES}`];
      const asks = { keys, amount: String(amount), number: String(last) };
      try {
        const args = [asks.amount, String(limit), TTL_SECONDS, asks.number, NUMBER_SECONDS];
        return (await debit(keys, args)) === 1;
      } catch (error) {
        if (isUnanswered(error)) lose(asks);
        throw unavailable(error);
      }
    },
    async refund(account, amount, day) {
      await asked(refund([keyOf(account, day)], [String(amount)]));
    },
    async used(account, day) {
      return Number((await asked(client.get(keyOf(account, day)))) ?? 0);
    },
    async close() {
      if (client.isOpen) await client.close();
    },
  };
}
