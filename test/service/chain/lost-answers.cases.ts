import { once } from 'node:events';

import { connectRedis, type RedisClient } from '../../../src/service/runtime/redis';
import { LedgerUnavailableError, type CreditLedger } from '../../../src/service/chain/credits';
import { openRedisLedger } from '../../../src/service/chain/credits/redis';
import { noRedis, startRedis } from '../../support/service/redis';
import { Wire, type Side } from '../../support/service/wire';

const DAY = '2026-01-02';
const LIMIT = 1000;

(noRedis === undefined ? describe : describe.skip)(
  `Redis commands whose response is lost${noRedis === undefined ? '' : ` (${noRedis})`}`,
  () => {
    let wire: Wire;
    let client: RedisClient;
    let ledger: CreditLedger;
    /** Bypasses the wire. */
    let direct: RedisClient;
    beforeEach(async () => {
      const { port, url } = await startRedis();
      wire = new Wire(port);
      direct = await connectRedis(url, () => undefined);
      client = await connectRedis(await wire.url(), () => undefined);
      ledger = await openRedisLedger(client);
      expect(await ledger.debit('a', 100, LIMIT, DAY)).toBe(true);
    });
    afterEach(async () => {
      await ledger.close();
      await direct.close();
      wire.close();
    });

    /** Resolves when the ledger is connected again. */
    const back = () =>
      new Promise<void>((done) => {
        client.once('ready', done);
      });

    /** Cuts the connection during debits; resolves once it is restored. */
    const lose = async (side: Side, amounts: readonly number[]) => {
      const held = wire.hold(side);
      const debits = amounts.map((amount) => ledger.debit('a', amount, LIMIT, DAY));
      const failed = Promise.all(debits.map((debit) => expect(debit).rejects.toThrow(LedgerUnavailableError)));
      await held;
      const again = back();
      const old = wire.cut();
      await failed;
      await again;
      return old;
    };

    test('debits are refunded once Redis is back, except those that were rejected', async () => {
      const { far } = await lose('from Redis', [150, 5000, 250]);
      expect(await ledger.used('a', DAY)).toBe(100);
      expect(await ledger.debit('a', 900, LIMIT, DAY)).toBe(true);
      expect(await ledger.debit('a', 1, LIMIT, DAY)).toBe(false);
      far.destroy();
    });

    test('debits that arrive late are not made', async () => {
      const { far, bytes } = await lose('to Redis', [150]);
      expect(await ledger.used('a', DAY)).toBe(100);
      const answered = once(far, 'data');
      far.write(bytes);
      expect(String(await answered)).toBe(':0\r\n');
      expect(await ledger.used('a', DAY)).toBe(100);
      far.destroy();
    });

    test('debits are refunded once, even if that response is lost, too', async () => {
      const held = wire.hold('from Redis');
      const failed = expect(ledger.debit('a', 150, LIMIT, DAY)).rejects.toThrow(LedgerUnavailableError);
      await held;
      const { far } = wire.cut();
      await failed;
      await back();
      // Redis answers this after the refund.
      const again = wire.hold('from Redis');
      const used = ledger.used('a', DAY).catch(() => undefined);
      await again;
      const there = back();
      const { far: second } = wire.cut();
      await used;
      await there;
      expect(await ledger.used('a', DAY)).toBe(100);
      for (const socket of [far, second]) socket.destroy();
    });

    test.each(['from Redis', 'to Redis'] as const)('a refund delayed %s is made once', async (side) => {
      expect(await ledger.debit('a', 500, LIMIT, DAY)).toBe(true);
      const held = wire.hold(side);
      const refunds = [30, 40].map((amount) => ledger.refund('a', amount, DAY));
      await held;
      const again = back();
      const { far, bytes } = wire.cut();
      await Promise.all([...refunds, again]);
      expect(await ledger.used('a', DAY)).toBe(530);
      if (side === 'to Redis') {
        const answered = once(far, 'data');
        far.write(bytes);
        expect(String(await answered)).toMatch(/^:0\r\n/u);
        expect(await ledger.used('a', DAY)).toBe(530);
      }
      far.destroy();
    });

    test('a refund is made once Redis is back', async () => {
      const again = back();
      const lost = new Promise<void>((done) => {
        client.once('reconnecting', () => {
          done();
        });
      });
      wire.cut().far.destroy();
      await lost;
      await ledger.refund('a', 30, DAY);
      await again;
      expect(await ledger.used('a', DAY)).toBe(70);
    });

    test('a refund that Redis rejects while loading its data is made once it works again', async () => {
      // Without permission to run scripts the connection stays, and commands fail.
      await client.sendCommand(['ACL', 'SETUSER', 'default', '-eval', '-evalsha']);
      await ledger.refund('a', 30, DAY);
      await client.sendCommand(['ACL', 'SETUSER', 'default', '+eval', '+evalsha']);
      expect(await ledger.debit('a', 5, LIMIT, DAY)).toBe(true);
      expect(await ledger.used('a', DAY)).toBe(75);
    });

    /** Without permission to run scripts the connection stays, and commands fail. */
    const mayRunScripts = (may: boolean) => {
      const rules = ['eval', 'evalsha'].map((command) => `${may ? '+' : '-'}${command}`);
      return client.sendCommand(['ACL', 'SETUSER', 'default', ...rules]);
    };

    test('a debit or refund that Redis first rejects after reconnecting is not forgotten', async () => {
      await mayRunScripts(false);
      await ledger.refund('a', 30, DAY);
      await mayRunScripts(true);
      const held = wire.hold('from Redis');
      const failed = expect(ledger.debit('a', 150, LIMIT, DAY)).rejects.toThrow(LedgerUnavailableError);
      await held;
      await direct.sendCommand(['ACL', 'SETUSER', 'default', '-eval', '-evalsha']);
      const again = back();
      const { far } = wire.cut();
      await failed;
      await again;
      // Redis answers a connection's commands in order, so the refund has been rejected by now.
      expect(await ledger.used('a', DAY)).toBe(250);
      await mayRunScripts(true);
      expect(await ledger.debit('a', 5, LIMIT, DAY)).toBe(true);
      expect(await ledger.used('a', DAY)).toBe(75);
      far.destroy();
    });

    test('a double refund never goes below zero', async () => {
      const held = wire.hold('from Redis');
      const failed = expect(ledger.debit('a', 150, LIMIT, DAY)).rejects.toThrow(LedgerUnavailableError);
      await held;
      const elsewhere = await openRedisLedger(direct);
      await elsewhere.refund('a', 240, DAY);
      const again = back();
      const { far } = wire.cut();
      await failed;
      await again;
      expect(await ledger.used('a', DAY)).toBe(0);
      expect(await ledger.debit('a', LIMIT + 1, LIMIT, DAY)).toBe(false);
      far.destroy();
    });

    test('processes do not mix up each other’s numbers', async () => {
      const elsewhere = await openRedisLedger(direct);
      for (let i = 0; i < 5; i++) await elsewhere.debit('b', 1, LIMIT, DAY);
      await ledger.refund('a', 30, DAY);
      const { far } = await lose('from Redis', [150]);
      expect([await ledger.used('a', DAY), await ledger.used('b', DAY)]).toEqual([70, 5]);
      far.destroy();
    });

    test('a day’s count expires two days after its last debit, and is never recreated', async () => {
      const count = `{keystead:credits}:a:${DAY}`;
      const expectTwoDays = async () => {
        const seconds = await client.ttl(count);
        expect([seconds > 2 * 86_400 - 600, seconds <= 2 * 86_400]).toEqual([true, true]);
      };
      await expectTwoDays();
      await ledger.refund('a', 30, DAY);
      await expectTwoDays();
      const { far } = await lose('from Redis', [150]);
      expect(await ledger.used('a', DAY)).toBe(70);
      await expectTwoDays();
      await client.del(count);
      await ledger.refund('a', 30, DAY);
      expect(await client.exists(count)).toBe(0);
      far.destroy();
    });

    test('the number of a refund outlives the day’s count, so that it is never refunded twice', async () => {
      await ledger.refund('a', 30, DAY);
      const ttls = await Promise.all((await client.keys('*:debit:*')).map((key) => client.ttl(key)));
      expect(Math.max(...ttls)).toBeGreaterThan(86_400 + (await client.ttl(`{keystead:credits}:a:${DAY}`)) - 60);
    });

    test('a closed ledger refunds nothing, and reports it', async () => {
      await ledger.close();
      await expect(ledger.refund('a', 30, DAY)).rejects.toThrow(LedgerUnavailableError);
    });

    test('Redis keeps only one slot for each of the last debits, for an hour', async () => {
      for (let i = 0; i < 5; i++) await Promise.all(Array.from({ length: 1000 }, () => ledger.debit('b', 0, 0, DAY)));
      const places = await client.keys('*:debit:*');
      expect(places).toHaveLength(4096);
      // All keys of a script must be in the same slot of a cluster, which the part in braces decides.
      const slots = (await client.keys('*')).map((key) => /\{[^}]+\}/u.exec(key)?.[0]);
      expect([...new Set(slots)]).toEqual(['{keystead:credits}']);
      const [place = ''] = places;
      expect(await client.ttl(place)).toBeGreaterThan(3000);
      expect(await client.ttl(place)).toBeLessThanOrEqual(3600);
    });
  },
);
