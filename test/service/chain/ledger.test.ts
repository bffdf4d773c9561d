import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { connectRedis, type RedisClient } from '../../../src/service/runtime/redis';
import { LedgerUnavailableError, utcDay, type CreditLedger } from '../../../src/service/chain/credits';
import { GroupedDebits } from '../../../src/service/chain/credits/grouped';
import { openRedisLedger } from '../../../src/service/chain/credits/redis';
import { openSqliteLedger } from '../../../src/service/chain/credits/sqlite';
import { bundled } from '../../helpers/bundled';
import { makeFolder } from '../support/folder';
import { noRedis, startRedis } from '../support/redis';

const DAY = '2026-01-02';
const NEXT_DAY = '2026-01-03';

/** Where a ledger is kept, so that several processes can open the same one. */
type Store = { kind: 'sqlite' | 'redis'; where: string; open: () => Promise<CreditLedger> };

async function sqlite(): Promise<Store> {
  const where = join(makeFolder(), 'credits.sqlite');
  return { kind: 'sqlite', where, open: async () => openSqliteLedger(where) };
}

async function redis(): Promise<Store> {
  const { url } = await startRedis();
  return { kind: 'redis', where: url, open: async () => openRedisLedger(await connectRedis(url, () => undefined)) };
}

const debitProgram = bundled('test/service/support/debit-process.ts');

/** Starts a process that makes debits, and waits until it is ready. */
async function debitProcess({ kind, where }: Store, account: string, amount: number, limit: number, attempts: number) {
  const args = [debitProgram, kind, where, account, ...[amount, limit, attempts].map(String)];
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, args);
  let output = '';
  const waiting = new Set<() => void>();
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString();
    for (const check of waiting) check();
  });
  child.stderr.pipe(process.stderr);
  const until = (holds: (text: string) => boolean) =>
    new Promise<void>((done) => {
      const check = () => {
        if (!holds(output)) return;
        waiting.delete(check);
        done();
      };
      waiting.add(check);
      check();
    });
  await until((text) => text.startsWith('ready\n'));
  return {
    child,
    go: () => child.stdin.write('go\n'),
    until,
    rest: () => output.slice('ready\n'.length),
    /** Resolves once all output has been read, which may be after the exit. */
    exited: once(child, 'close'),
  };
}

/** Unlike `once`, does not reject at the client's next error, because these tests cause errors. */
const happens = (client: RedisClient, event: string) =>
  new Promise<void>((done) => {
    client.once(event, () => {
      done();
    });
  });

const suites: [string, () => Promise<Store>, string | undefined][] = [
  ['SQLite', sqlite, undefined],
  ['Redis', redis, noRedis],
];

for (const [name, create, skipped] of suites) {
  (skipped === undefined ? describe : describe.skip)(`the ledger in ${name}${skipped ? ` (${skipped})` : ''}`, () => {
    let store: Store;
    let ledger: CreditLedger;
    beforeAll(async () => {
      store = await create();
      ledger = await store.open();
    });
    afterAll(() => ledger.close());

    test('takes up to the limit and not one credit more', async () => {
      expect(await ledger.used('a', DAY)).toBe(0);
      expect(await ledger.debit('a', 150, 300, DAY)).toBe(true);
      expect(await ledger.debit('a', 151, 300, DAY)).toBe(false);
      expect(await ledger.debit('a', 150, 300, DAY)).toBe(true);
      expect(await ledger.debit('a', 1, 300, DAY)).toBe(false);
      expect(await ledger.debit('a', 0, 300, DAY)).toBe(true);
      expect(await ledger.used('a', DAY)).toBe(300);
    });

    test('a first debit above the limit is rejected, and a limit of zero admits free requests', async () => {
      expect(await ledger.debit('first', 301, 300, DAY)).toBe(false);
      expect(await ledger.used('first', DAY)).toBe(0);
      expect(await ledger.debit('first', 0, 0, DAY)).toBe(true);
      expect(await ledger.debit('first', 1, 0, DAY)).toBe(false);
    });

    test('keys and days are independent', async () => {
      expect(await ledger.debit('b', 300, 300, DAY)).toBe(true);
      expect(await ledger.debit('c', 300, 300, DAY)).toBe(true);
      expect(await ledger.debit('b', 300, 300, NEXT_DAY)).toBe(true);
      expect(await ledger.used('b', DAY)).toBe(300);
      expect(await ledger.used('b', NEXT_DAY)).toBe(300);
    });

    test('a refund never exceeds what was used', async () => {
      await ledger.debit('d', 300, 300, DAY);
      await ledger.refund('d', 150, DAY);
      expect(await ledger.used('d', DAY)).toBe(150);
      await ledger.refund('d', 1000, DAY);
      expect(await ledger.used('d', DAY)).toBe(0);
      await ledger.refund('nobody', 10, DAY);
      expect(await ledger.used('nobody', DAY)).toBe(0);
    });

    test('large balances stay exact', async () => {
      const limit = 9_007_199_254_740_000;
      expect(await ledger.debit('rich', limit - 1, limit, DAY)).toBe(true);
      expect(await ledger.debit('rich', 1, limit, DAY)).toBe(true);
      expect(await ledger.debit('rich', 1, limit, DAY)).toBe(false);
      expect(await ledger.used('rich', DAY)).toBe(limit);
    });

    test('40,000 attempts, a thousand at once, in two processes admit exactly the limit', async () => {
      const processes = await Promise.all([0, 1].map(() => debitProcess(store, 'crowd', 150, 150 * 20_000, 20_000)));
      for (const { go } of processes) go();
      await Promise.all(processes.map(({ exited }) => exited));
      const admitted = processes.map(({ rest }) => Number(rest()));
      expect(admitted[0]! + admitted[1]!).toBe(20_000);
      expect(await ledger.used('crowd', DAY)).toBe(150 * 20_000);
    });

    test('killing a process refunds nothing', async () => {
      const { child, go, until, rest, exited } = await debitProcess(store, 'killed', 150, 1e12, 0);
      go();
      await until((text) => text.length > 200);
      child.kill('SIGKILL');
      await exited;
      const told = rest().length;
      const reopened = await store.open();
      const used = await reopened.used('killed', DAY);
      // Every admitted debit is counted. At most the last one was admitted but not reported.
      expect(used).toBeGreaterThanOrEqual(150 * told);
      expect(used).toBeLessThanOrEqual(150 * (told + 1));
      await reopened.close();
    });
  });
}

test('debits of one turn are combined, and are still exact', async () => {
  const inner = await (await sqlite()).open();
  const asked: number[] = [];
  const grouped = new GroupedDebits({
    ...inner,
    debit: (account, amount, limit, day) => {
      asked.push(amount);
      return inner.debit(account, amount, limit, day);
    },
  });
  const debit = (account: string, amount: number, limit: number) =>
    new Promise<boolean>((settled, failed) => {
      grouped.add(account, limit, DAY, { amount, settled, failed });
    });
  const debits = (account: string, amounts: number[], limit: number) =>
    Promise.all(amounts.map((amount) => debit(account, amount, limit)));
  const [a, b] = await Promise.all([debits('a', [150, 150, 5], 1000), debits('b', [150], 1000)]);
  expect([a, b, asked]).toEqual([[true, true, true], [true], [305, 150]]);
  // The credits of a key may change between two requests.
  expect(await Promise.all([debit('c', 2, 3), debit('c', 2, 5), debit('c', 2, 3)])).toEqual([true, true, false]);
  expect(await debits('a', [300, 300, 300, 95, 1], 1000)).toEqual([true, true, false, true, false]);
  expect(await inner.used('a', DAY)).toBe(1000);
  await inner.close();
  await expect(debits('a', [0, 0], 1000)).rejects.toThrow(LedgerUnavailableError);
});

test('a SQLite ledger deletes past days', async () => {
  const ledger = await (await sqlite()).open();
  const day = (number: number) => `2026-01-0${number}`;
  for (let number = 1; number <= 8; number++) await ledger.debit('a', 1, 10, day(number));
  expect(await ledger.used('a', day(1))).toBe(1);
  await ledger.debit('a', 1, 10, day(9));
  expect(await ledger.used('a', day(1))).toBe(0);
  for (let number = 2; number <= 9; number++) expect(await ledger.used('a', day(number))).toBe(1);
  await ledger.close();
});

for (const [name, create, skipped] of suites)
  (skipped === undefined ? test : test.skip)(
    `a clock that goes ahead, or back, and then right again gives nothing back: ${name}${skipped ? ` (${skipped})` : ''}`,
    async () => {
      const store = await create();
      let ledger = await store.open();
      expect(await ledger.debit('a', 10, 10, DAY)).toBe(true);
      for (const wrong of ['2026-02-01', '2026-02-02', '2026-02-05', '1970-01-01', '2027-01-01']) {
        expect(await ledger.debit('a', 10, 10, wrong)).toBe(true);
        expect(await ledger.debit('a', 1, 10, wrong)).toBe(false);
        expect(await ledger.debit('a', 1, 10, DAY)).toBe(false);
        await ledger.close();
        ledger = await store.open();
        expect(await ledger.debit('a', 1, 10, DAY)).toBe(false);
      }
      await ledger.close();
    },
  );

test('an unusable SQLite ledger refuses requests', async () => {
  const ledger = await (await sqlite()).open();
  await ledger.close();
  await expect(ledger.debit('a', 1, 10, DAY)).rejects.toThrow(LedgerUnavailableError);
});

(noRedis === undefined ? test : test.skip)(
  `a lost Redis refuses requests, and is used again once it is back${noRedis ? ` (${noRedis})` : ''}`,
  async () => {
    const first = await startRedis();
    const client = await connectRedis(first.url, () => undefined);
    const ledger = await openRedisLedger(client);
    expect(await ledger.debit('a', 1, 10, DAY)).toBe(true);
    const lost = happens(client, 'reconnecting');
    first.process.kill('SIGKILL');
    await lost;
    await expect(ledger.debit('a', 1, 10, DAY)).rejects.toThrow(LedgerUnavailableError);
    const ready = happens(client, 'ready');
    await startRedis(first.port);
    await ready;
    // The new Redis does not know the scripts: they are sent again.
    expect(await ledger.debit('a', 1, 10, DAY)).toBe(true);
    expect(await ledger.used('a', DAY)).toBe(1);
    await ledger.close();
  },
);

test('a day begins at midnight UTC', () => {
  expect(utcDay(Date.UTC(2026, 0, 2) - 1)).toBe('2026-01-01');
  expect(utcDay(Date.UTC(2026, 0, 2))).toBe('2026-01-02');
});
