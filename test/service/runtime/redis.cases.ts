import { ConfigError } from '../../../src/service/runtime/config';
import { closeRedis, connectRedis, loadScript, renewIfReplica } from '../../../src/service/runtime/redis';
import { noRedis, startRedis } from '../../support/service/redis';
import { Wire } from '../../support/service/wire';

const fails = (): void => {
  throw new Error('nobody is to be told');
};

(noRedis === undefined ? describe : describe.skip)(
  `a connection to Redis${noRedis === undefined ? '' : ` (${noRedis})`}`,
  () => {
    let wire: Wire;
    afterEach(() => {
      wire.close();
    });
    const start = async () => {
      const redis = await startRedis();
      wire = new Wire(redis.port);
      return { redis, url: await wire.url() };
    };

    test('that denies access is reported at once, without the password', async () => {
      const { url } = await start();
      const refused = connectRedis(url.replace('//', '//nobody:the-password@'), fails);
      await expect(refused).rejects.toThrow(ConfigError);
      await expect(refused).rejects.toThrow(/^redis: cannot connect \(not a Redis server, or access denied\)$/u);
    });

    test('that is lost is reported; commands during the loss fail and are not queued', async () => {
      const { redis, url } = await start();
      let told: (error: Error) => void = () => undefined;
      const lost = new Promise<Error>((done) => (told = done));
      const client = await connectRedis(url, (error) => {
        told(error);
      });
      redis.process.kill('SIGKILL');
      expect(await lost).toBeInstanceOf(Error);
      await expect(client.set('a', 'b')).rejects.toThrow();
      const back = new Promise<void>((done) => {
        client.once('ready', done);
      });
      await startRedis(redis.port);
      await back;
      expect(await client.exists('a')).toBe(0);
      await client.close();
    });

    test('that is idle is kept, and one that is silent is dropped', async () => {
      const { url } = await start();
      const client = await connectRedis(url, () => undefined);
      // A ping every second, for longer than the five seconds after which a silent connection is dropped.
      let pings = 0;
      await new Promise<void>((done) => {
        wire.onRequest = (bytes) => {
          pings += bytes.includes('PING') ? 1 : 0;
          if (pings === 6 || wire.connections > 1) done();
        };
      });
      expect([pings, wire.connections]).toEqual([6, 1]);
      const held = wire.hold('from Redis');
      const asked = expect(client.get('a')).rejects.toThrow();
      await held;
      await asked;
      client.destroy();
    });

    test('that is silent is dropped although commands go on being sent, and is closed in time', async () => {
      const { url } = await start();
      const lost: string[] = [];
      const client = await connectRedis(url, ({ message }) => lost.push(message));
      const closed = await connectRedis(url, () => undefined);
      const held = wire.hold('from Redis');
      closed.get('a').catch(() => undefined);
      const closing = closeRedis(closed);
      // Each command that is sent would begin the time limit of the socket anew.
      const failures: unknown[] = [];
      const first = client.get('a').catch((error: unknown) => failures.push(error));
      const sending = setInterval(() => {
        client.get('a').catch((error: unknown) => failures.push(error));
      }, 100);
      await held;
      await first;
      clearInterval(sending);
      expect(failures.length).toBeGreaterThan(1);
      expect(lost).toContain('no answer for 5 seconds');
      // By now it tries to connect again.
      await closeRedis(client);
      await closing;
      expect([client.isOpen, closed.isOpen]).toEqual([false, false]);
    });

    test('that leads to a replica is made anew', async () => {
      const { redis, url } = await start();
      const client = await connectRedis(url, () => undefined);
      const admin = await connectRedis(redis.url, fails);
      await admin.sendCommand(['REPLICAOF', '127.0.0.1', '1']);
      const refused = await client.set('a', 'b').catch((error: unknown) => error);
      expect(String(refused)).toContain('READONLY');
      const ready = new Promise<void>((done) => {
        client.once('ready', done);
      });
      renewIfReplica(client, refused);
      await ready;
      expect(wire.connections).toBe(2);
      // Not more than once a second.
      renewIfReplica(client, refused);
      await expect(client.get('a')).resolves.toBeNull();
      expect(wire.connections).toBe(2);
      await admin.sendCommand(['REPLICAOF', 'NO', 'ONE']);
      expect(await client.set('a', 'b')).toBe('OK');
      await admin.close();
      await closeRedis(client);
    });

    test('runs a script that Redis has lost, but does not repeat one that failed', async () => {
      const { url } = await start();
      const client = await connectRedis(url, fails);
      const count = await loadScript(client, "return redis.call('INCR', KEYS[1])");
      expect(await count(['a'], [])).toBe(1);
      await client.sendCommand(['SCRIPT', 'FLUSH']);
      expect(await count(['a'], [])).toBe(2);
      const failing = await loadScript(client, "redis.call('INCR', KEYS[1]) return redis.call('NOSUCH')");
      await expect(failing(['a'], [])).rejects.toThrow(/nosuch|unknown/iu);
      expect(await client.get('a')).toBe('3');
      await client.close();
    });
  },
);

(noRedis === undefined ? test : test.skip).each(['allkeys-lru', 'volatile-ttl', 'noeviction'])(
  'a Redis that may remove what it keeps is refused: %s',
  async (policy) => {
    const { url } = await startRedis(undefined, undefined, ['--maxmemory', '64mb', '--maxmemory-policy', policy]);
    const connected = connectRedis(url, fails);
    if (policy === 'noeviction') await (await connected).close();
    else await expect(connected).rejects.toThrow(`redis: maxmemory-policy is ${policy}, but must be noeviction`);
  },
);
