import { loadScript, type RedisClient } from '../../redis';
import { LedgerUnavailableError, type CreditLedger } from './index';

/** One script, so that nobody can come between the comparison and the addition. */
const DEBIT = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0') + tonumber(ARGV[1])
if used > tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[1], string.format('%.0f', used), 'EX', ARGV[3])
return 1`;

/** Never below zero, and never brings back a day that has expired. */
const REFUND = `
local used = redis.call('GET', KEYS[1])
if not used then return 0 end
redis.call('SET', KEYS[1], string.format('%.0f', math.max(0, tonumber(used) - tonumber(ARGV[1]))), 'KEEPTTL')
return 1`;

const keyOf = (account: string, day: string) => `keystead:credits:${account}:${day}`;

/** A day's count outlives its last debit by two days. Not a moment: clocks may differ, and nothing may expire early. */
const TTL_SECONDS = String(2 * 86_400);

/**
 * A ledger in Redis, shared by processes on several machines. How much survives a crash of Redis itself is a matter of
 * its `appendfsync` setting.
 *
 * @param client - Connected; the ledger closes it.
 * @returns The ledger.
 */
export async function openRedisLedger(client: RedisClient): Promise<CreditLedger> {
  const asked = async <Result>(question: Promise<Result>): Promise<Result> => {
    try {
      return await question;
    } catch (error) {
      throw new LedgerUnavailableError('the credits ledger in Redis cannot be reached', { cause: error });
    }
  };

  const debit = await asked(loadScript(client, DEBIT));
  const refund = await asked(loadScript(client, REFUND));

  return {
    async debit(account, amount, limit, day) {
      return (await asked(debit([keyOf(account, day)], [String(amount), String(limit), TTL_SECONDS]))) === 1;
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
