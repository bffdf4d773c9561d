import { statSync } from 'node:fs';
import { join } from 'node:path';

import {
  generateKey,
  keyId,
  KeysUnavailableError,
  type KeyStore,
  KNOWN_MS,
  MAX_FORMER,
  TooManySecretsError,
} from '../../../src/service/keys';
import { openRedisKeys } from '../../../src/service/keys/redis';
import { openSqliteKeys } from '../../../src/service/keys/sqlite';
import { openKeys } from '../../../src/service/keys/open';
import { connectRedis } from '../../../src/service/runtime/redis';
import { makeFolder } from '../../support/service/folder';
import { noRedis, startRedis } from '../../support/service/redis';
import { openSqlite } from '../../../src/service/runtime/sqlite';

const noop = () => undefined;

type Store = {
  open: () => Promise<KeyStore>;
  /** Makes one stored key one with a setting that nobody knows. */
  damage: (key: string) => Promise<void>;
  everythingStored: () => Promise<string>;
  /** Replaces the stored keys by something else. */
  ruin: () => Promise<void>;
};

async function sqlite(): Promise<Store> {
  const dataDir = makeFolder();
  return {
    open: () => openKeys({ ledger: 'sqlite' }, dataDir, () => undefined),
    damage: async (key) => {
      const db = openSqlite(join(dataDir, 'keys.sqlite'), '');
      db.prepare('UPDATE keys SET settings = ? WHERE key = ?').run('{"phase":"full"}', key);
      db.close();
    },
    everythingStored: async () => {
      const db = openSqlite(join(dataDir, 'keys.sqlite'), '');
      const rows = JSON.stringify(db.prepare('SELECT * FROM keys').all());
      db.close();
      return rows;
    },
    ruin: async () => {
      const db = openSqlite(join(dataDir, 'keys.sqlite'), '');
      db.exec('DROP TABLE keys; CREATE TABLE keys (other TEXT) STRICT');
      db.close();
    },
  };
}

async function redis(): Promise<Store> {
  const { url } = await startRedis();
  return {
    open: () => openKeys({ ledger: 'redis', redis: { url } }, '', () => undefined),
    damage: async (key) => {
      const client = await connectRedis(url, () => undefined);
      await client.hSet('keystead:keys', keyId(key), '{"key":');
      await client.close();
    },
    everythingStored: async () => {
      const client = await connectRedis(url, () => undefined);
      const all = JSON.stringify(await client.hGetAll('keystead:keys'));
      await client.close();
      return all;
    },
    ruin: async () => {
      const client = await connectRedis(url, () => undefined);
      await client.set('keystead:keys', 'something else');
      await client.close();
    },
  };
}

const suites: [string, () => Promise<Store>, string | undefined][] = [
  ['SQLite', sqlite, undefined],
  ['Redis', redis, noRedis],
];

for (const [name, create, skipped] of suites) {
  (skipped === undefined ? describe : describe.skip)(`keys in ${name}${skipped ? ` (${skipped})` : ''}`, () => {
    let store: Store;
    let keys: KeyStore;
    beforeAll(async () => {
      store = await create();
      keys = await store.open();
    });
    afterAll(() => keys.close());

    test('a key is recognized alone, and with its secret', async () => {
      const { key, secret, identity } = await keys.create({ name: 'mine', dailyCredits: 5 });
      expect(key).toMatch(/^[0-9a-f]{32}$/u);
      expect(secret.length).toBeGreaterThanOrEqual(43);
      expect(identity).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{64}$/u) as string,
        name: 'mine',
        dailyCredits: 5,
      });
      expect(await keys.verify(key)).toEqual(identity);
      expect(await keys.verify(key, secret)).toEqual(identity);
      expect(JSON.stringify(identity)).not.toContain(key);
    });

    test('a wrong secret, an unknown key and an empty one are all undefined', async () => {
      const { key, secret } = await keys.create();
      for (const wrong of ['', 'x', `${secret}x`, secret.slice(1), key, '\0'])
        expect(await keys.verify(key, wrong)).toBeUndefined();
      for (const nobody of ['', 'nobody', '__proto__', key.toUpperCase(), `${key}\0`]) {
        expect(await keys.verify(nobody)).toBeUndefined();
        expect(await keys.verify(nobody, secret)).toBeUndefined();
        expect(await keys.verify(nobody, '')).toBeUndefined();
      }
    });

    test('a revoked key stops working everywhere, for good', async () => {
      const { key, secret } = await keys.create();
      const elsewhere = await store.open();
      expect(await elsewhere.verify(key)).toBeDefined();
      expect(await keys.verify(key)).toBeDefined();
      expect(await keys.revoke(key)).toBe(true);
      expect(await elsewhere.verify(key)).toBeUndefined();
      expect(await keys.verify(key)).toBeUndefined();
      expect(await elsewhere.verify(key, secret)).toBeUndefined();
      expect(await elsewhere.revoke(key)).toBe(false);
      expect(await keys.revoke('nobody')).toBe(false);
      await elsewhere.close();
    });

    test('of two concurrent revocations only one reports success', async () => {
      const { key } = await keys.create();
      const elsewhere = await store.open();
      expect((await Promise.all([keys.revoke(key), elsewhere.revoke(key)])).sort()).toEqual([false, true]);
      await elsewhere.close();
    });

    test('a revoked key keeps the rest of its record exactly', async () => {
      const dailyCredits = Number.MAX_SAFE_INTEGER;
      const { key } = await keys.create({ name: 'caf\u00e9 "\\"', dailyCredits });
      const before = (await keys.list()).find((record) => record.key === key);
      await keys.revoke(key);
      const after = (await keys.list()).find((record) => record.key === key);
      expect(after).toEqual({ ...before, dailyCredits, revokedAt: expect.any(Date) as Date });
    });

    test('the list shows keys, never secrets; and no secret is stored', async () => {
      const { key, secret } = await keys.create({ name: 'listed' });
      const records = await keys.list();
      // Keys created in the same millisecond may be listed in any order.
      expect(records.find((record) => record.key === key)).toMatchObject({
        name: 'listed',
        dailyCredits: undefined,
        revokedAt: undefined,
      });
      expect(records.some(({ revokedAt }) => revokedAt instanceof Date)).toBe(true);
      const times = records.map(({ createdAt }) => createdAt.getTime());
      expect(times).toEqual([...times].sort((a, b) => a - b));
      const stored = await store.everythingStored();
      expect(stored).toContain(key);
      expect(stored).not.toContain(secret);
      expect(JSON.stringify(records)).not.toContain(secret);
    });

    test('a change is seen by other processes at once, and what it does not name stays', async () => {
      const limits = { methods: ['eth_call'], networks: ['mainnet'] };
      const { key, identity } = await keys.create({ name: 'mine', dailyCredits: 5, limits });
      const elsewhere = await store.open();
      expect(await elsewhere.verify(key)).toEqual(identity);
      expect(await keys.edit(key, { dailyCredits: null, limits: { methods: null, requestsPerDay: 7 } })).toMatchObject({
        key,
        name: 'mine',
        dailyCredits: undefined,
        limits: { networks: ['mainnet'], requestsPerDay: 7 },
      });
      for (const opened of [keys, elsewhere])
        expect(await opened.verify(key)).toEqual({
          ...identity,
          dailyCredits: undefined,
          limits: { networks: ['mainnet'], requestsPerDay: 7 },
        });
      await elsewhere.edit(key, { limits: { networks: null, requestsPerDay: null } });
      expect((await keys.verify(key))?.limits).toBeUndefined();
      await elsewhere.close();
    });

    test('neither a revoked key nor an unknown one is changed or replaced', async () => {
      const { key } = await keys.create({ limits: { methods: [] } });
      await keys.revoke(key);
      for (const gone of [key, 'nobody']) {
        expect(await keys.edit(gone, { limits: { methods: null } })).toBeUndefined();
        for (const what of ['key', 'secret'] as const)
          expect(await keys.rotate(gone, what, Date.now() + 60_000)).toBeUndefined();
      }
      expect(await keys.verify(key)).toBeUndefined();
    });

    test('a key that has ended is refused, also where it was known before, and cannot be replaced', async () => {
      const now = jest.spyOn(Date, 'now');
      const start = Date.UTC(2026, 0, 1);
      now.mockReturnValue(start);
      const { key, secret } = await keys.create({ endsAt: start + 1000 });
      expect(await keys.verify(key)).toBeDefined();
      now.mockReturnValue(start + 999);
      expect(await keys.verify(key, secret)).toBeDefined();
      now.mockReturnValue(start + 1000);
      expect(keys.known?.(key)).toBeUndefined();
      expect(await keys.verify(key)).toBeUndefined();
      expect(await keys.verify(key, secret)).toBeUndefined();
      expect(await keys.rotate(key, 'key', start + 5000)).toBeUndefined();
      expect(await keys.edit(key, { endsAt: null })).toMatchObject({ key, endsAt: undefined });
      expect(await keys.verify(key)).toBeDefined();
    });

    test('an edit does not bring back a key that was replaced, and revoking the new one revokes it too', async () => {
      const { key, secret } = await keys.create({});
      const ended = await keys.rotate(key, 'key', Date.now());
      expect(await keys.verify(key, secret)).toBeUndefined();
      for (const endsAt of [null, Date.now() + 60_000]) {
        await keys.edit(ended!.key, { endsAt, limits: { requestsPerDay: 5 } });
        expect(await keys.verify(key, secret)).toBeUndefined();
        expect(await keys.verify(ended!.key)).toMatchObject({ limits: { requestsPerDay: 5 } });
      }
      const leaked = ended!;
      const renewed = await keys.rotate(leaked.key, 'key', Date.now() + 60_000);
      expect(await keys.verify(leaked.key, leaked.secret)).toBeDefined();
      expect(await keys.revoke(renewed!.key)).toBe(true);
      for (const each of [leaked, renewed!]) expect(await keys.verify(each.key, each.secret)).toBeUndefined();
      const other = await keys.create({});
      const next = await keys.rotate(other.key, 'key', Date.now() + 60_000);
      expect(await keys.revoke(other.key)).toBe(true);
      expect(await keys.verify(next!.key, next!.secret)).toBeDefined();
    });

    test('a new secret works at once, and the old one until its time; nothing else changes', async () => {
      const now = jest.spyOn(Date, 'now');
      const start = Date.UTC(2026, 0, 1);
      now.mockReturnValue(start);
      const { key, secret, identity } = await keys.create({ limits: { storage: ['read'] } });
      const changed = await keys.rotate(key, 'secret', start + 1000);
      expect(changed).toMatchObject({ key, identity });
      expect(changed?.secret).not.toBe(secret);
      for (const each of [secret, changed?.secret]) expect(await keys.verify(key, each)).toEqual(identity);
      expect(await keys.verify(key, `${secret}x`)).toBeUndefined();
      now.mockReturnValue(start + 1000);
      expect(await keys.verify(key, secret)).toBeUndefined();
      expect(await keys.verify(key, changed?.secret)).toEqual(identity);
      // The time of a secret before the old one has not come back.
      await keys.rotate(key, 'secret', start);
      expect(await keys.verify(key, changed?.secret)).toBeUndefined();
    });

    test('each of several old secrets ends at its own time, and all end at once if the newest ends now', async () => {
      const now = jest.spyOn(Date, 'now');
      const start = Date.UTC(2026, 0, 1);
      now.mockReturnValue(start);
      const { key, secret } = await keys.create();
      const second = (await keys.rotate(key, 'secret', start + 3000))!.secret;
      const third = (await keys.rotate(key, 'secret', start + 1000))!.secret;
      const works = async (...secrets: string[]) =>
        Promise.all(secrets.map(async (each) => (await keys.verify(key, each)) !== undefined));
      expect(await works(secret, second, third)).toEqual([true, true, true]);
      now.mockReturnValue(start + 1000);
      expect(await works(secret, second, third)).toEqual([true, false, true]);
      now.mockReturnValue(start + 3000);
      expect(await works(secret, second, third)).toEqual([false, false, true]);
      const fourth = (await keys.rotate(key, 'secret', start + 9000))!.secret;
      expect(await works(third, fourth)).toEqual([true, true]);
      const leakProof = (await keys.rotate(key, 'secret', start + 3000))!.secret;
      expect(await works(third, fourth, leakProof)).toEqual([false, false, true]);
    });

    test('a key has at most eight old secrets; one more is refused and changes nothing', async () => {
      const { key } = await keys.create();
      const made = [];
      for (let n = 0; n < MAX_FORMER; n++) made.push((await keys.rotate(key, 'secret', Date.now() + 60_000))!.secret);
      const latest = made.at(-1)!;
      await expect(keys.rotate(key, 'secret', Date.now() + 60_000)).rejects.toThrow(TooManySecretsError);
      expect(await keys.verify(key, latest)).toBeDefined();
      expect((await keys.rotate(key, 'secret', Date.now()))?.secret).not.toBe(latest);
      expect(await keys.verify(key, latest)).toBeUndefined();
    });

    test('a record that cannot be read is refused and named, and keeps no other key from anything', async () => {
      const other = await create();
      const damaged = await other.open();
      const [bad, good] = [await damaged.create({ name: 'bad' }), await damaged.create({ name: 'good' })];
      await other.damage(bad.key);
      await expect(damaged.verify(bad.key)).rejects.toThrow(KeysUnavailableError);
      await expect(damaged.list()).rejects.toThrow(KeysUnavailableError);
      const unreadable: string[] = [];
      expect(await damaged.list((id) => unreadable.push(id))).toMatchObject([{ key: good.key }]);
      expect(unreadable).toEqual([keyId(bad.key)]);
      expect(await damaged.edit(good.key, { name: 'better' })).toMatchObject({ name: 'better' });
      const renewed = await damaged.rotate(good.key, 'key', Date.now() + 60_000);
      expect(await damaged.revoke(renewed!.key)).toBe(true);
      expect(await damaged.verify(good.key)).toBeUndefined();
      await expect(damaged.verify(bad.key)).rejects.toThrow(KeysUnavailableError);
      await damaged.close();
    });

    test('a new key has the ID and the limits of the old one, which ends at its time and changes with it', async () => {
      const now = jest.spyOn(Date, 'now');
      const start = Date.UTC(2026, 0, 1);
      now.mockReturnValue(start);
      const { key, secret, identity } = await keys.create({ dailyCredits: 9, limits: { methods: ['eth_call'] } });
      const made = await keys.rotate(key, 'key', start + 1000);
      expect(made?.key).toMatch(/^[0-9a-f]{32}$/u);
      expect(made?.key).not.toBe(key);
      const renewed = made?.key ?? '';
      expect(await keys.verify(renewed, made?.secret)).toEqual(identity);
      expect(await keys.verify(renewed, secret)).toBeUndefined();
      await keys.edit(renewed, { limits: { methods: ['eth_getLogs'] } });
      for (const each of [key, renewed])
        expect((await keys.verify(each))?.limits).toEqual({ methods: ['eth_getLogs'] });
      now.mockReturnValue(start + 1000);
      expect(await keys.verify(key, secret)).toBeUndefined();
      const again = await keys.rotate(renewed, 'key', start + 1000);
      expect(await keys.verify(renewed)).toBeUndefined();
      expect((await keys.verify(again?.key ?? ''))?.id).toBe(identity.id);
    });

    /** Every operation is refused with an explanation. */
    const expectUnavailable = async (gone: KeyStore, key: string) => {
      const asking = [
        gone.verify(key),
        gone.verify(key, 'secret'),
        gone.create(),
        gone.list(),
        gone.revoke(key),
        gone.edit(key, {}),
        gone.rotate(key, 'key', 0),
      ];
      for (const asked of await Promise.allSettled(asking))
        expect(asked).toMatchObject({ status: 'rejected', reason: expect.any(KeysUnavailableError) as unknown });
    };

    test('a lost store admits nobody, and can still be closed', async () => {
      const { key } = await keys.create();
      const closed = await store.open();
      await closed.close();
      await expectUnavailable(closed, key);
      await closed.close();
    });

    test('so does a store that holds something else', async () => {
      const other = await create();
      const ruined = await other.open();
      const { key } = await ruined.create();
      await other.ruin();
      await expectUnavailable(ruined, key);
      await ruined.close();
    });
  });
}

test('only its owner may read the key database', async () => {
  const dataDir = join(makeFolder(), 'new');
  await (await openKeys({ ledger: 'sqlite' }, dataDir, () => undefined)).close();
  expect(statSync(join(dataDir, 'keys.sqlite')).mode & 0o077).toBe(0);
  expect(statSync(dataDir).mode & 0o077).toBe(0);
});

test('a database of an earlier build is brought up to date, and its keys work', async () => {
  const path = join(makeFolder(), 'keys.sqlite');
  const old = openSqlite(
    path,
    'CREATE TABLE keys (id TEXT PRIMARY KEY, key TEXT NOT NULL, secretHash TEXT NOT NULL, name TEXT NOT NULL, dailyCredits INTEGER, createdAt INTEGER NOT NULL, revokedAt INTEGER) STRICT',
  );
  const { stored, secret } = generateKey({ name: 'old' });
  const { key, secretHash, name, createdAt } = stored;
  old.prepare('INSERT INTO keys VALUES (?, ?, ?, ?, NULL, ?, NULL)').run(keyId(key), key, secretHash, name, createdAt);
  old.close();
  const keys = openSqliteKeys(path);
  expect(await keys.verify(key, secret)).toMatchObject({ name: 'old', limits: undefined });
  expect(await keys.edit(key, { limits: { methods: [] } })).toMatchObject({ limits: { methods: [] } });
  await keys.close();
});

test('a key with a setting that this build does not know is refused: it may be a limit', async () => {
  const path = join(makeFolder(), 'keys.sqlite');
  const keys = openSqliteKeys(path);
  const { key } = await keys.create();
  const db = openSqlite(path, '');
  for (const settings of [
    '{"limits":{"phaseOfTheMoon":"full"}}',
    '{"until":1}',
    '{',
    '{"limits":{"methods":"eth_call"}}',
  ]) {
    db.prepare('UPDATE keys SET settings = ?').run(settings);
    await expect(keys.verify(key)).rejects.toThrow(KeysUnavailableError);
  }
  db.close();
  await keys.close();
});

test('a key that was verified is known without a promise, until it is revoked here or by another process', async () => {
  let clock = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => clock);
  const dataDir = makeFolder();
  const [keys, other] = [1, 2].map(() => openSqliteKeys(join(dataDir, 'keys.sqlite'))) as [KeyStore, KeyStore];
  const [one, two] = [await keys.create(), await keys.create()];
  expect(keys.known?.(one.key)).toBeUndefined();
  for (const { key } of [one, two]) await keys.verify(key);
  expect(keys.known?.(one.key)).toEqual(one.identity);
  await keys.revoke(one.key);
  expect(keys.known?.(one.key)).toBeUndefined();
  await other.revoke(two.key);
  clock += KNOWN_MS;
  expect(keys.known?.(two.key)).toBeUndefined();
  expect(await keys.verify(two.key)).toBeUndefined();
  await keys.close();
  expect(keys.known?.(two.key)).toBeUndefined();
  await other.close();
  jest.restoreAllMocks();
});

(noRedis === undefined ? test : test.skip)(
  `an edit reaches a key that replaces the edited one at the same moment${noRedis ? ` (${noRedis})` : ''}`,
  async () => {
    const { url } = await startRedis();
    const client = await connectRedis(url, () => undefined);
    const [editing, rotating] = [openRedisKeys(client), await openKeys({ ledger: 'redis', redis: { url } }, '', noop)];
    const { key } = await rotating.create();
    let renewed: string | undefined;
    const list = client.hGetAll.bind(client);
    jest.spyOn(client, 'hGetAll').mockImplementation((async (name: string) => {
      const all = await list(name);
      renewed ??= (await rotating.rotate(key, 'key', Date.now() + 60_000))?.key;
      return all;
    }) as typeof client.hGetAll);
    const limits = { methods: ['eth_chainId'] };
    expect(await editing.edit(key, { limits })).toMatchObject({ key, limits });
    for (const each of [key, renewed ?? '']) expect(await rotating.verify(each)).toMatchObject({ limits });
    await Promise.all([editing.close(), rotating.close()]);
  },
);
