import { connectRedis } from '../../../src/service/runtime/redis';
import { openRedisLedger } from '../../../src/service/chain/credits/redis';
import { openSqliteLedger } from '../../../src/service/chain/credits/sqlite';

/*
 * A process that debits, for tests with several: `<sqlite|redis> <path|url> <account> <amount> <limit> <attempts>`.
 * Says `ready`, waits for a line on stdin, then makes all attempts, many at once, and prints how many were admitted; with
 * attempts 0, goes on one by one for ever, printing a dot for each one admitted.
 */

const [kind, where, account, amount, limit, attempts] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
/** Attempts at once: a busy machine would not have taken all of them within the time that one of them has. */
const LANES = 500;
const DAY = '2026-01-02';

async function main(): Promise<void> {
  const ledger =
    kind === 'redis' ? await openRedisLedger(await connectRedis(where, () => undefined)) : openSqliteLedger(where);
  const debit = () => ledger.debit(account, Number(amount), Number(limit), DAY);
  process.stdout.write('ready\n');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  if (attempts === '0') {
    while (await debit()) await new Promise((resolve) => process.stdout.write('.', resolve));
    return;
  }
  let left = Number(attempts);
  let admitted = 0;
  const lane = async () => {
    while (left-- > 0) if (await debit()) admitted += 1;
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  process.stdout.write(`${admitted}\n`);
  process.stdin.destroy();
  await ledger.close();
}

void main();
