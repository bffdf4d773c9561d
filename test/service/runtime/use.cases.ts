import { join } from 'node:path';

import { emptyCounts, UseRecorder, type UseStore } from '../../../src/service/keys/use';
import { openUse } from '../../../src/service/keys/open';
import { openRedisUse } from '../../../src/service/keys/use-redis';
import { reportOf } from '../../../src/service/keys/use-report';
import { openSqliteUse } from '../../../src/service/keys/use-sqlite';
import { connectRedis } from '../../../src/service/runtime/redis';
import { makeFolder } from '../../support/service/folder';
import { noRedis, startRedis } from '../../support/service/redis';

const USER = { id: 'a'.repeat(64), name: 'shop' };
const START = Date.UTC(2026, 10, 1, 12);
const DAY_MS = 86_400_000;
const noError = (error: unknown) => {
  throw error;
};

type Opened = { open: () => Promise<UseStore>; setNow: (now: number) => void };

async function sqlite(): Promise<Opened> {
  const dataDir = makeFolder();
  return {
    open: () => openUse({ ledger: 'sqlite' }, dataDir, () => undefined),
    setNow: () => undefined,
  };
}

async function redis(): Promise<Opened> {
  const { url } = await startRedis();
  let time = START;
  return {
    open: async () => openRedisUse(await connectRedis(url, () => undefined), () => time),
    setNow: (now) => (time = now),
  };
}

const suites: [string, () => Promise<Opened>, string | undefined][] = [
  ['SQLite', sqlite, undefined],
  ['Redis', redis, noRedis],
];

for (const [name, create, skipped] of suites)
  (skipped === undefined ? describe : describe.skip)(`use in ${name}${skipped ? ` (${skipped})` : ''}`, () => {
    test('what two processes count of a key is added up, by day, method and reason', async () => {
      const { open, setNow } = await create();
      let now = START;
      const recorders = await Promise.all(
        [0, 1].map(async () => new UseRecorder(await open(), { onError: noError, now: () => now })),
      );
      const [one, two] = recorders as [UseRecorder, UseRecorder];
      for (let n = 0; n < 3; n++) one.count(USER, 'requests', 'eth_call');
      one.count(USER, 'credits', 'eth_call', 240);
      two.count(USER, 'requests', 'eth_call');
      two.count(USER, 'credits', 'eth_call', 80);
      two.count(USER, 'credits', 'eth_call', -80);
      two.count(USER, 'refused', 'limit');
      two.count({ id: 'b' }, 'requests', 'eth_call', 50);
      await Promise.all([one.flush(), two.flush()]);
      now += DAY_MS;
      setNow(now);
      one.count(USER, 'requests', 'add');
      one.count(USER, 'bytes', 'received', 7);
      one.count(USER, 'bytes', 'sent', 2 ** 40);
      await one.flush();
      // Not stored yet, but known to the process that counted it.
      one.count(USER, 'requests', '__proto__');
      const report = reportOf(await one.read(USER.id), { day: '2026-11-02', used: 5, daily: 3 });
      expect(report).toEqual({
        day: '2026-11-02',
        credits: { used: 5, daily: 3, left: 0 },
        lastSeen: '2026-11-02T12:00:00.000Z',
        pins: null,
        methods: JSON.parse('{"__proto__":{"requests":1,"credits":0},"add":{"requests":1,"credits":0}}') as object,
        refused: {},
        days: [
          { day: '2026-11-02', requests: 2, credits: 0, refused: 0, receivedBytes: 7, sentBytes: 2 ** 40 },
          { day: '2026-11-01', requests: 4, credits: 240, refused: 1, receivedBytes: 0, sentBytes: 0 },
        ],
      });
      expect((await two.read(USER.id)).rows).toHaveLength(6);
      expect((await two.read('nobody')).rows).toEqual([]);
      await Promise.all([one.close(), two.close()]);
    });

    test('what was counted last is stored when a process stops, and pins are as they were last', async () => {
      const { open } = await create();
      let held = { pins: 2, bytes: 30 };
      const options = { onError: noError, now: () => START, pinsOf: () => Promise.resolve(held) };
      const one = new UseRecorder(await open(), options);
      one.changedPins(USER.id);
      await one.flush();
      held = { pins: 1, bytes: 10 };
      one.count(USER, 'requests', 'cat');
      await one.flush();
      const store = await open();
      expect((await store.read(USER.id)).state).toEqual({ lastSeen: START, pins: 2, pinnedBytes: 30 });
      one.changedPins(USER.id);
      await one.close();
      expect((await store.read(USER.id)).state).toEqual({ lastSeen: START, pins: 1, pinnedBytes: 10 });
      expect((await store.read(USER.id)).rows).toEqual([
        { day: '2026-11-01', kind: 'requests', name: 'cat', amount: 1 },
      ]);
      await store.close();
    });

    test('pins that are still being counted are asked for again, and nobody is seen by that', async () => {
      const { open } = await create();
      const counted = [undefined, undefined, { pins: 3, bytes: 5 }];
      const asked: string[] = [];
      const one = new UseRecorder(await open(), {
        onError: noError,
        now: () => START,
        pinsOf: (id) => {
          asked.push(id);
          return Promise.resolve(counted.shift());
        },
      });
      const store = await open();
      one.changedPins(USER.id);
      for (const state of [{}, {}, { pins: 3, pinnedBytes: 5 }, { pins: 3, pinnedBytes: 5 }]) {
        await one.flush();
        expect((await store.read(USER.id)).state).toEqual(state);
      }
      expect(asked).toEqual([USER.id, USER.id, USER.id]);
      one.count(USER, 'requests', 'cat');
      await one.close();
      expect((await store.read(USER.id)).state).toEqual({ lastSeen: START, pins: 3, pinnedBytes: 5 });
      await store.close();
    });

    test('thirty days and the current one are kept', async () => {
      const { open, setNow } = await create();
      const store = await open();
      for (let n = 0; n < 40; n++) {
        const day = new Date(START + n * DAY_MS).toISOString().slice(0, 10);
        const counts = emptyCounts();
        counts.requests.set('cat', 1);
        await store.add([{ user: USER, day, counts, state: {} }]);
      }
      setNow(START + 39 * DAY_MS);
      const { rows } = await store.read(USER.id);
      expect([rows.length, rows[0]?.day, rows.at(-1)?.day]).toEqual([31, '2026-11-10', '2026-12-10']);
      await store.close();
    });
  });

test('pins that cannot be counted are asked for again, and keep no count from being stored', async () => {
  const store = openSqliteUse(join(makeFolder(), 'use.sqlite'));
  const errors: unknown[] = [];
  let isDown = true;
  const recorder = new UseRecorder(store, {
    onError: (error) => errors.push(error),
    now: () => START,
    pinsOf: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve({ pins: 1, bytes: 2 })),
  });
  recorder.changedPins(USER.id);
  recorder.count(USER, 'requests', 'add');
  await recorder.flush();
  expect([errors.length, (await store.read(USER.id)).rows.length]).toEqual([1, 1]);
  isDown = false;
  await recorder.flush();
  expect((await store.read(USER.id)).state).toEqual({ lastSeen: START, pins: 1, pinnedBytes: 2 });
  await recorder.close();
});

test('counts that cannot be stored are tried again, and the store is not asked without any', async () => {
  const store = openSqliteUse(join(makeFolder(), 'use.sqlite'));
  let isDown = true;
  let asked = 0;
  const errors: unknown[] = [];
  const stored: unknown[] = [];
  const recorder = new UseRecorder(
    {
      ...store,
      add: (uses) => {
        asked += 1;
        return isDown ? Promise.reject(new Error('down')) : store.add(uses);
      },
    },
    { onError: (error) => errors.push(error), onStored: ({ user }) => stored.push(user.name), now: () => START },
  );
  await recorder.flush();
  expect(asked).toBe(0);
  recorder.count(USER, 'requests', 'eth_call');
  await recorder.flush();
  recorder.count(USER, 'requests', 'eth_call');
  expect([errors.length, stored]).toEqual([1, []]);
  isDown = false;
  await recorder.flush();
  expect([asked, stored]).toEqual([2, ['shop']]);
  expect((await store.read(USER.id)).rows).toEqual([
    { day: '2026-11-01', kind: 'requests', name: 'eth_call', amount: 2 },
  ]);
  await recorder.close();
});
