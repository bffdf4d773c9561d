import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { connectRedis, type RedisClient } from '../../../src/service/redis';
import { LedgerUnavailableError, type CreditLedger } from '../../../src/service/rpc/credits';
import { openRedisLedger } from '../../../src/service/rpc/credits/redis';
import { OWN_ADDRESS } from '../support/own-address';
import { noRedis, startRedis } from '../support/redis';

const DAY = '2026-01-02';
const LIMIT = 1000;

type Side = 'to Redis' | 'from Redis';

/** What stands between a ledger and Redis, and can hold up what goes one way on the connections that there are. */
class Wire {
  readonly #server: Server;
  readonly #pairs: { near: Socket; far: Socket }[] = [];
  #held: { side: Side; bytes: Buffer[]; came: () => void } | undefined;

  constructor(port: number) {
    this.#server = createServer((near) => {
      const far = connect(port, OWN_ADDRESS);
      this.#pairs.push({ near, far });
      this.#pass('to Redis', near, far);
      this.#pass('from Redis', far, near);
      near.on('error', () => undefined);
      far.on('error', () => undefined).on('close', () => near.destroy());
    }).listen(0, OWN_ADDRESS);
  }

  #pass(side: Side, from: Socket, to: Socket): void {
    from.on('data', (bytes: Buffer) => {
      if (this.#held?.side === side) {
        this.#held.bytes.push(bytes);
        this.#held.came();
      } else if (!to.destroyed) to.write(bytes);
    });
  }

  async url(): Promise<string> {
    if (!this.#server.listening) await once(this.#server, 'listening');
    return `redis://${OWN_ADDRESS}:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Holds up what goes one way from now on. Resolves when something did. */
  hold(side: Side): Promise<void> {
    return new Promise((came) => (this.#held = { side, bytes: [], came }));
  }

  /** Cuts the ledger off, and lets it connect again. @returns What was held up, and the connection it was on. */
  cut(): { far: Socket; bytes: Buffer } {
    const bytes = Buffer.concat(this.#held?.bytes ?? []);
    this.#held = undefined;
    const [{ near, far } = {}] = this.#pairs.splice(0);
    near?.destroy();
    return { far: far as Socket, bytes };
  }

  close(): void {
    for (const { near, far } of this.#pairs) for (const socket of [near, far]) socket.destroy();
    this.#server.close();
  }
}

(noRedis === undefined ? describe : describe.skip)(
  `what Redis is asked, and its answer is lost${noRedis === undefined ? '' : ` (${noRedis})`}`,
  () => {
    let wire: Wire;
    let client: RedisClient;
    let ledger: CreditLedger;
    beforeEach(async () => {
      wire = new Wire((await startRedis()).port);
      client = await connectRedis(await wire.url(), () => undefined);
      ledger = await openRedisLedger(client);
      expect(await ledger.debit('a', 100, LIMIT, DAY)).toBe(true);
    });
    afterEach(async () => {
      await ledger.close();
      wire.close();
    });

    /** Resolves when the ledger is connected again. */
    const back = () =>
      new Promise<void>((done) => {
        client.once('ready', done);
      });

    /** Cuts the connection while debits are under way; resolves once it is there again. */
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

    test('debits are given back when Redis is there again, and those that were refused are not', async () => {
      const { far } = await lose('from Redis', [150, 5000, 250]);
      expect(await ledger.used('a', DAY)).toBe(100);
      expect(await ledger.debit('a', 900, LIMIT, DAY)).toBe(true);
      expect(await ledger.debit('a', 1, LIMIT, DAY)).toBe(false);
      far.destroy();
    });

    test('debits are not made later, when they come late', async () => {
      const { far, bytes } = await lose('to Redis', [150]);
      expect(await ledger.used('a', DAY)).toBe(100);
      const answered = once(far, 'data');
      far.write(bytes);
      expect(String(await answered)).toBe(':0\r\n');
      expect(await ledger.used('a', DAY)).toBe(100);
      far.destroy();
    });

    test('debits are given back once, though that answer is lost, too', async () => {
      const held = wire.hold('from Redis');
      const failed = expect(ledger.debit('a', 150, LIMIT, DAY)).rejects.toThrow(LedgerUnavailableError);
      await held;
      const { far } = wire.cut();
      await failed;
      await back();
      // The answer to this comes after that to what gives the debit back.
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

    test.each(['from Redis', 'to Redis'] as const)('a refund held up on its way %s is given once', async (side) => {
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

    test('a refund is given when Redis is there again', async () => {
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

    test('a refund that Redis refuses, as it does while it loads its data, is given when it is at work again', async () => {
      // Whoever may not run scripts gets an error, not a lost connection.
      await client.sendCommand(['ACL', 'SETUSER', 'default', '-eval', '-evalsha']);
      await ledger.refund('a', 30, DAY);
      await client.sendCommand(['ACL', 'SETUSER', 'default', '+eval', '+evalsha']);
      expect(await ledger.debit('a', 5, LIMIT, DAY)).toBe(true);
      expect(await ledger.used('a', DAY)).toBe(75);
    });

    test('the number of a refund outlives the count of the day, so that it is never given twice', async () => {
      await ledger.refund('a', 30, DAY);
      const ttls = await Promise.all((await client.keys('*:debit:*')).map((key) => client.ttl(key)));
      expect(Math.max(...ttls)).toBeGreaterThan(86_400 + (await client.ttl(`{keystead:credits}:a:${DAY}`)) - 60);
    });

    test('a closed ledger gives nothing back, and says so', async () => {
      await ledger.close();
      await expect(ledger.refund('a', 30, DAY)).rejects.toThrow(LedgerUnavailableError);
    });

    test('there is no more in Redis than a place for each of the last debits, for an hour', async () => {
      for (let i = 0; i < 5; i++) await Promise.all(Array.from({ length: 1000 }, () => ledger.debit('b', 0, 0, DAY)));
      const places = await client.keys('*:debit:*');
      expect(places).toHaveLength(4096);
      // A script's keys must be in one slot of a cluster, which what is in braces decides.
      const slots = (await client.keys('*')).map((key) => /\{[^}]+\}/u.exec(key)?.[0]);
      expect([...new Set(slots)]).toEqual(['{keystead:credits}']);
      const [place = ''] = places;
      expect(await client.ttl(place)).toBeGreaterThan(3000);
      expect(await client.ttl(place)).toBeLessThanOrEqual(3600);
    });
  },
);
