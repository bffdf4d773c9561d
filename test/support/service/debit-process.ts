import { connectRedis } from '../../../src/service/runtime/redis';
import { LeasedDebits } from '../../../src/service/chain/credits/leased';
import { openRedisLedger } from '../../../src/service/chain/credits/redis';
import { openSqliteLedger } from '../../../src/service/chain/credits/sqlite';

/*
 * A process that makes debits: `<sqlite|redis> <path|url> <account> <amount> <limit> <attempts> <whether with leases>`.
 * It prints `ready`, waits for a line on stdin, makes all attempts, many at once, and prints how many were admitted.
 * With 0 attempts it makes one debit after another without end, and prints a dot for each admitted one.
 */

const [kind, where, account, amount, limit, attempts, leased] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
/** The number of concurrent attempts. More might not be answered within one debit's time limit on a busy machine. */
const LANES = leased === 'true' ? 4 : 500;
const DAY = '2026-01-02';

async function main(): Promise<void> {
  const ledger =
    kind === 'redis' ? await openRedisLedger(await connectRedis(where, () => undefined)) : openSqliteLedger(where);
  const leases = new LeasedDebits(ledger);
  const debit = () =>
    leased === 'true'
      ? new Promise<boolean>((settled, failed) => {
          leases.add(account, Number(limit), DAY, { amount: Number(amount), settled, failed });
        })
      : ledger.debit(account, Number(amount), Number(limit), DAY);
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
  await leases.close();
  await ledger.close();
}

void main();
