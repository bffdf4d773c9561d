import { randomUUID } from 'node:crypto';

import { ClientClosedError, ClientOfflineError, ErrorReply } from '@redis/client';

import { loadScript, type RedisClient } from '../../runtime/redis';
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
if math.abs(mark) > number then return 0 end
redis.call('SET', KEYS[2], '-' .. ARGV[2], 'EX', ARGV[3])
local used = redis.call('GET', KEYS[1])
if mark ~= number or not used then return 0 end
redis.call('SET', KEYS[1], string.format('%.0f', math.max(0, tonumber(used) - tonumber(ARGV[1]))), 'KEEPTTL')
return 1`;

/**
 * Gives back, once: it leaves its number as a debit does. If something later has its place already, nothing is known of it
 * any more. Never below zero, and never brings back a day that has expired. Arguments: amount, number, seconds that the number
 * lives.
 */
const REFUND = `
if math.abs(tonumber(redis.call('GET', KEYS[2]) or '0')) >= tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[3])
local used = redis.call('GET', KEYS[1])
if not used then return 0 end
redis.call('SET', KEYS[1], string.format('%.0f', math.max(0, tonumber(used) - tonumber(ARGV[1]))), 'KEEPTTL')
return 1`;

/** In braces: every key in the same slot of a cluster. */
const PREFIX = '{keystead:credits}:';
const keyOf = (account: string, day: string) => `${PREFIX}${account}:${day}`;

/** A day's count outlives its last debit by two days. Not a moment: clocks may differ, and nothing may expire early. */
const TTL_SECONDS = String(2 * 86_400);

/** Debits and refunds of a process whose numbers are kept in Redis, 160 bytes each. */
const PLACES = 4096;

/** How long the number of a debit is kept: one that was not taken back until then never is. */
const DEBIT_SECONDS = '3600';

/** How long that of a refund: longer than the day's count lives on, or it could be given twice. */
const REFUND_SECONDS = String(3 * 86_400);

/** What Redis has to be told, again perhaps: it does it once. */
type Due = { keys: string[]; args: string[] };

/** Whether a command may have been carried out although it failed: it was sent, and no answer came. */
const isUnanswered = (error: unknown) =>
  !(error instanceof ErrorReply || error instanceof ClientOfflineError || error instanceof ClientClosedError);

/**
 * A ledger in Redis, shared by processes on several machines. How much survives a crash of Redis itself is a matter of
 * its `appendfsync` setting. Debits whose answers were lost with the connection have failed: when it is there again they are
 * taken back. Refunds that it did not take, or not for certain, are given then, once.
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
  const next = (account: string, amount: number, day: string, seconds: string): Due => {
    last += 1;
    const keys = [keyOf(account, day), `${places}:${last % PLACES}`];
    return { keys, args: [String(amount), String(last), seconds] };
  };

  /** Debits of which it is not known whether they were made, and what was not given back yet. */
  const lost: Due[] = [];
  const owed: Due[] = [];

  const lose = (debit: Due) => {
    lost.push(debit);
    // The number of one that is older is not kept either.
    if (lost.length > PLACES) lost.shift();
  };
  const owe = (due: Due) => {
    owed.push(due);
  };

  const tellAgain = () => {
    for (const each of lost.splice(0)) {
      cancel(each.keys, each.args).catch(() => {
        lose(each);
      });
    }
    for (const each of owed.splice(0)) {
      refund(each.keys, each.args).catch(() => {
        owe(each);
      });
    }
  };
  client.on('ready', tellAgain);

  return {
    async debit(account, amount, limit, day) {
      const due = next(account, amount, day, DEBIT_SECONDS);
      let took: boolean;
      try {
        const [sum = '', ...number] = due.args;
        took = (await debit(due.keys, [sum, String(limit), TTL_SECONDS, ...number])) === 1;
      } catch (error) {
        if (isUnanswered(error)) lose(due);
        throw unavailable(error);
      }
      // A Redis that is connected may still refuse, as while it loads its data: now it does not.
      if (lost.length + owed.length > 0) tellAgain();
      return took;
    },
    async refund(account, amount, day) {
      if (!client.isOpen) throw unavailable(undefined);
      const due = next(account, amount, day, REFUND_SECONDS);
      try {
        await refund(due.keys, due.args);
      } catch {
        owe(due);
      }
    },
    async used(account, day) {
      return Number((await asked(client.get(keyOf(account, day)))) ?? 0);
    },
    async close() {
      if (client.isOpen) await client.close();
    },
  };
}
