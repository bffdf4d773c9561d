import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import fc from 'fast-check';
import Database from 'libsql';

import { connectRedis, type RedisClient } from '../../../src/service/runtime/redis';
import { LedgerUnavailableError, utcDay, type CreditLedger } from '../../../src/service/chain/credits';
import { LeasedDebits, MAX_LEASE } from '../../../src/service/chain/credits/leased';
import { openRedisLedger } from '../../../src/service/chain/credits/redis';
import { openSqliteLedger } from '../../../src/service/chain/credits/sqlite';
import { bundled } from '../../support/bundled';
import { fuzzing } from '../../support/fuzz';
import { perRun } from '../../support/nightly';
import { makeFolder } from '../../support/service/folder';
import { noRedis, startRedis } from '../../support/service/redis';

const DAY = '2026-01-02';
const NEXT_DAY = '2026-01-03';

/** Where a ledger is kept, so that several processes can open the same one. */
type Store = {
  kind: 'sqlite' | 'redis';
  where: string;
  open: () => Promise<CreditLedger>;
  /** Writes what an account has used that day, as a person might by hand. */
  write: (account: string, day: string, used: number | string) => Promise<void>;
};

async function sqlite(): Promise<Store> {
  const where = join(makeFolder(), 'credits.sqlite');
  return {
    kind: 'sqlite',
    where,
    open: async () => openSqliteLedger(where),
    write: async (account, day, used) => {
      const db = new Database(where);
      db.prepare('INSERT OR REPLACE INTO usage (account, day, used) VALUES (?, ?, ?)').run(account, day, used);
      db.close();
    },
  };
}

async function redis(): Promise<Store> {
  const { url } = await startRedis();
  return {
    kind: 'redis',
    where: url,
    open: async () => openRedisLedger(await connectRedis(url, () => undefined)),
    write: async (account, day, used) => {
      const client = await connectRedis(url, () => undefined);
      await client.set(`{keystead:credits}:${account}:${day}`, String(used));
      await client.close();
    },
  };
}

/** A process that can be killed: its ledger then answers nothing any more. */
class Process {
  readonly #debits: LeasedDebits;
  readonly #id: string;
  readonly #limit: number;
  #isKilled = false;

  constructor(ledger: CreditLedger, id: string, limit: number) {
    const unlessKilled = <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
      this.#isKilled ? new Promise(() => undefined) : ask();
    this.#debits = new LeasedDebits({
      ...ledger,
      debit: (...args) => unlessKilled(() => ledger.debit(...args)),
      refund: (...args) => unlessKilled(() => ledger.refund(...args)),
    });
    this.#id = id;
    this.#limit = limit;
  }

  /** Makes debits at once. @returns The sum of those that were admitted. */
  async spend(amounts: readonly number[]): Promise<number> {
    const admitted = await Promise.all(
      amounts.map(
        (amount) =>
          new Promise<boolean>((settled, failed) => {
            this.#debits.add(this.#id, this.#limit, DAY, { amount, settled, failed });
          }),
      ),
    );
    return amounts.reduce((sum, amount, at) => sum + (admitted[at] === true ? amount : 0), 0);
  }

  kill(): 1 {
    this.#isKilled = true;
    return 1;
  }

  stop(): Promise<void> {
    return this.#debits.close();
  }
}

const anyStep = fc.record({
  process: fc.nat(1),
  what: fc.constantFrom('spend', 'spend', 'spend', 'spend', 'spend', 'spend', 'kill', 'stop'),
  amounts: fc.array(fc.constantFrom(0, 1, 5, 80, 150, 150, 150), { minLength: 1, maxLength: 5 }),
});

const debitProgram = bundled('test/support/service/debit-process.ts');

/** Starts a process that makes debits, and waits until it is ready. */
async function debitProcess(
  { kind, where }: Store,
  account: string,
  amount: number,
  limit: number,
  attempts: number,
  leased = false,
) {
  const args = [debitProgram, kind, where, account, ...[amount, limit, attempts].map(String), String(leased)];
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, args);
  let output = '';
  const waiting = new Set<() => void>();
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString();
    for (const check of waiting) check();
  });
  child.stderr.pipe(process.stderr);
  // All output has been read by then, which may be after the exit.
  const exited = once(child, 'close');
  const until = (holds: (text: string) => boolean) =>
    new Promise<void>((done, failed) => {
      const check = () => {
        if (!holds(output)) return;
        waiting.delete(check);
        done();
      };
      waiting.add(check);
      check();
      void exited.then(() => failed(new Error(`ended too early, after ${output}`)));
    });
  await until((text) => text.startsWith('ready\n'));
  return {
    child,
    go: () => child.stdin.write('go\n'),
    until,
    rest: () => output.slice('ready\n'.length),
    exited,
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

    /** Read over a new connection: one that a busy machine leaves alone for seconds is dropped. */
    const usedBy = async (account: string) => {
      const reopened = await store.open();
      const used = await reopened.used(account, DAY);
      await reopened.close();
      return used;
    };

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

    test('a count below zero, written by hand, is no gift: debits fail until it is right', async () => {
      await store.write('hand', DAY, -500);
      for (const amount of [0, 1, 400]) {
        await expect(ledger.debit('hand', amount, 300, DAY)).rejects.toThrow(LedgerUnavailableError);
      }
      await expect(ledger.used('hand', DAY)).rejects.toThrow(LedgerUnavailableError);
      await store.write('hand', DAY, 299);
      expect(await ledger.debit('hand', 2, 300, DAY)).toBe(false);
      expect(await ledger.debit('hand', 1, 300, DAY)).toBe(true);
      expect(await ledger.used('hand', DAY)).toBe(300);
    });

    test('large balances stay exact', async () => {
      const limit = 9_007_199_254_740_000;
      expect(await ledger.debit('rich', limit - 1, limit, DAY)).toBe(true);
      expect(await ledger.debit('rich', 1, limit, DAY)).toBe(true);
      expect(await ledger.debit('rich', 1, limit, DAY)).toBe(false);
      expect(await ledger.used('rich', DAY)).toBe(limit);
    });

    test('many attempts, a thousand at once, in two processes admit exactly the limit', async () => {
      const half = perRun(7_000, 20_000);
      const processes = await Promise.all([0, 1].map(() => debitProcess(store, 'crowd', 150, 150 * half, half)));
      for (const { go } of processes) go();
      await Promise.all(processes.map(({ exited }) => exited));
      const admitted = processes.map(({ rest }) => Number(rest()));
      expect(admitted[0]! + admitted[1]!).toBe(half);
      expect(await usedBy('crowd')).toBe(150 * half);
    });

    test('killing a process refunds nothing', async () => {
      const { child, go, until, rest, exited } = await debitProcess(store, 'killed', 150, 1e12, 0);
      go();
      await until((text) => text.length > 200);
      child.kill('SIGKILL');
      await exited;
      const told = rest().length;
      const used = await usedBy('killed');
      // Every admitted debit is counted. At most the last one was admitted but not reported.
      expect(used).toBeGreaterThanOrEqual(150 * told);
      expect(used).toBeLessThanOrEqual(150 * (told + 1));
    });

    test('many attempts in two processes with leases admit exactly the limit', async () => {
      const half = perRun(700, 2_000);
      const limit = 150 * half;
      const processes = await Promise.all(
        [0, 1].map(() => debitProcess(store, 'leased crowd', 150, limit, half, true)),
      );
      for (const { go } of processes) go();
      await Promise.all(processes.map(({ exited }) => exited));
      const [first, second] = processes.map(({ rest }) => Number(rest()));
      expect(first! + second!).toBe(half);
      expect(await usedBy('leased crowd')).toBe(limit);
    });

    test('killing a process with a lease loses at most the lease', async () => {
      const { child, go, until, rest, exited } = await debitProcess(store, 'leased', 150, 1e12, 0, true);
      go();
      await until((text) => text.length > 2000);
      child.kill('SIGKILL');
      await exited;
      const told = rest().length;
      const used = await usedBy('leased');
      expect(used).toBeGreaterThanOrEqual(150 * told);
      // The last debit may have been admitted and not reported.
      expect(used).toBeLessThanOrEqual(150 * (told + 1) + MAX_LEASE);
    });

    test('processes that spend, rest, are killed and start again never spend more than the limit', async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 0, max: 200_000 }),
          fc.array(anyStep, { maxLength: 40 }),
          async (limit, steps) => {
            const id = `random ${run++}`;
            const machine = [new Process(ledger, id, limit), new Process(ledger, id, limit)];
            let [spent, kills] = [0, 0];
            for (const { process, what, amounts } of steps) {
              const one = machine[process]!;
              if (what === 'spend') spent += await one.spend(amounts);
              else {
                if (what === 'kill') kills += one.kill();
                else await one.stop();
                machine[process] = new Process(ledger, id, limit);
              }
              const used = await ledger.used(id, DAY);
              expect(used).toBeGreaterThanOrEqual(spent);
              expect(used).toBeLessThanOrEqual(limit);
            }
            for (const one of machine) await one.stop();
            const used = await ledger.used(id, DAY);
            const lost = used - spent;
            expect(lost).toBeGreaterThanOrEqual(0);
            expect(lost).toBeLessThanOrEqual(kills * Math.min(MAX_LEASE, limit / 400));
            // What is left can be spent to the last credit.
            const last = new Process(ledger, id, limit);
            expect(await last.spend([limit - used])).toBe(limit - used);
            expect(await last.spend([1])).toBe(0);
            await last.stop();
          },
        ),
        fuzzing(15),
      );
    });

    test('a lease of one day is not spent on the next, or under another limit', async () => {
      const debits = new LeasedDebits(ledger);
      const take = (limit: number, day: string) =>
        new Promise<boolean>((settled, failed) => {
          debits.add('midnight', limit, day, { amount: 150, settled, failed });
        });
      for (let n = 0; n < 20; n++) await take(1e9, DAY);
      expect(await ledger.used('midnight', DAY)).toBeGreaterThan(20 * 150);
      expect(await take(150, NEXT_DAY)).toBe(true);
      expect(await take(150, NEXT_DAY)).toBe(false);
      expect(await take(151, DAY)).toBe(false);
      await debits.close();
      expect(await ledger.used('midnight', DAY)).toBe(20 * 150);
      expect(await ledger.used('midnight', NEXT_DAY)).toBe(150);
    });
  });
}

describe('a lease is given back once its key rests', () => {
  /**
   * Spends 200 times 150 credits, waits until the lease was given back, and spends again.
   *
   * @returns The credits used.
   */
  async function spendTwice(refund: (inner: CreditLedger['refund']) => CreditLedger['refund']) {
    const inner = await (await sqlite()).open();
    let asked = 0;
    let returned = (): void => undefined;
    const debits = new LeasedDebits({
      ...inner,
      debit: (...args) => {
        asked += 1;
        return inner.debit(...args);
      },
      refund: (...args) =>
        refund((...given) => inner.refund(...given))(...args).finally(() => {
          returned();
        }),
    });
    const used: number[] = [];
    for (let round = 0; round < 2; round++) {
      const given = new Promise<void>((done) => {
        returned = done;
      });
      for (let n = 0; n < 200; n++)
        await new Promise<boolean>((settled, failed) => {
          debits.add('a', 1e9, DAY, { amount: 150, settled, failed });
        });
      await given;
      used.push(await inner.used('a', DAY));
    }
    await inner.close();
    return { used, asked };
  }

  test('whole', async () => {
    const { used, asked } = await spendTwice((inner) => inner);
    expect(used).toEqual([200 * 150, 400 * 150]);
    expect(asked).toBeLessThan(40);
  });

  test('and is not spent again if the answer of the ledger is lost', async () => {
    const { used } = await spendTwice((inner) => async (...args) => {
      await inner(...args);
      throw new LedgerUnavailableError('the answer is lost');
    });
    expect(used).toEqual([200 * 150, 400 * 150]);
  });

  test('and stays used if the ledger does not take it', async () => {
    const { used } = await spendTwice(() => () => Promise.reject(new LedgerUnavailableError('down')));
    const [first, second] = used as [number, number];
    expect(first).toBeGreaterThan(200 * 150);
    expect(first).toBeLessThanOrEqual(200 * 150 + MAX_LEASE);
    expect(second).toBeLessThanOrEqual(400 * 150 + 2 * MAX_LEASE);
  });
});

test('debits of one turn are combined, and are still exact', async () => {
  const inner = await (await sqlite()).open();
  const asked: number[] = [];
  const grouped = new LeasedDebits({
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

(noRedis === undefined ? test : test.skip).each(['word', 'nan', '-inf', '-0.5'])(
  `the count %s in Redis fails debits${noRedis ? ` (${noRedis})` : ''}`,
  async (count) => {
    const store = await redis();
    const ledger = await store.open();
    await store.write('a', DAY, count);
    await expect(ledger.debit('a', 1, 300, DAY)).rejects.toThrow(LedgerUnavailableError);
    await expect(ledger.used('a', DAY)).rejects.toThrow(LedgerUnavailableError);
    await ledger.close();
  },
);

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
