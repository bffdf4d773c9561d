import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { type Socket } from 'node:net';
import { Registry } from 'prom-client';
import { offer, openClient, plain } from '../../../support/service/offers';
import { IF_TOLD, tellsOpenFiles } from '../../../support/service/open-files';
import { openRaw } from '../../../support/service/raw';
import { startService } from '../../../support/service/service';
import { startTestService } from '../../../support/storage/service';
import { SETTINGS } from '../gateway/kit';

/** The sockets that this process has open: its clients' and its servers'. */
const openSockets = (): number =>
  readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith('socket:');
    } catch {
      // The descriptor that lists the others is already closed.
      return false;
    }
  }).length;

describe('every listener of the service', () => {
  const COUNT = 100;
  const metered = async (metrics: () => Promise<string>) =>
    [...(await metrics()).matchAll(/^keystead_connections\{[^}]*\} (\d+)$/gmu)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );

  /** Opens connections, each with what an attack sends, until each is answered as often as it must be. */
  async function attack(url: string, sent: string, answered: number): Promise<Socket[]> {
    const clients = await Promise.all(Array.from({ length: COUNT }, () => openClient(Number(new URL(url).port))));
    await Promise.all(
      clients.map(async ({ socket, received }) => {
        socket.write(sent);
        while (received().split('HTTP/1.1 ').length <= answered) await once(socket, 'data');
      }),
    );
    return clients.map(({ socket }) => socket);
  }

  (tellsOpenFiles ? test : test.skip)(
    `answers offers, and has no more sockets than before when their clients are gone${IF_TOLD}`,
    async () => {
      const metrics = new Registry();
      const storage = await startTestService({ metrics, gateway: SETTINGS });
      const chain = await startService({ rpc: { operations: { port: 0 } } });
      const both = async () => (await metered(chain.metrics)) + (await metered(() => metrics.metrics()));
      const urls = [chain.url, chain.addresses['Operations'] ?? '', storage.url, storage.gateway?.url ?? ''];
      const attacks: [string, number][] = [
        [offer('/livez'), 1],
        [offer('/livez') + offer('/livez'), 2],
        [plain('/livez') + offer('/livez') + plain('/livez'), 3],
      ];
      for (const url of urls) {
        for (const [sent, answered] of attacks) {
          const before = [openSockets(), await both()];
          const clients = await attack(url, sent, answered);
          // Both ends of each are in this process.
          expect([openSockets(), await both()]).toEqual([(before[0] ?? 0) + 2 * COUNT, (before[1] ?? 0) + COUNT]);
          for (const socket of clients) socket.resetAndDestroy();
          while ((await both()) > (before[1] ?? 0)) await new Promise(setImmediate);
          expect(openSockets()).toBe(before[0]);
        }
      }
      await storage.discard();
    },
  );

  /** Starts both services. @returns An address of each listener, and a request that needs no body there. */
  async function everyListener() {
    const storage = await startTestService({ gateway: SETTINGS });
    const chain = await startService({ rpc: { operations: { port: 0 } } });
    const targets = [
      [chain.url, 'OPTIONS /v3/x'],
      [chain.addresses['Operations'] ?? '', 'GET /livez'],
      [storage.url, 'OPTIONS /api/v0/add'],
      [storage.gateway?.url ?? '', 'OPTIONS /'],
    ] as const;
    return { chain, storage, targets };
  }

  test('stops reading a body without end behind an answer that did not need it, from 64 clients without a key', async () => {
    const { chain, storage, targets } = await everyListener();
    const piece = Buffer.alloc(1 << 16);
    /** Sends until the connection is closed, or far too much was taken. @returns How much was. */
    const flood = async (url: string, line: string) => {
      const { write, until, closed, socket } = await openRaw(url);
      write(`${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${10 ** 12}\r\n\r\n`);
      await until(/^HTTP\/1\.1 20/u);
      const pump = () => {
        while (socket.writable && socket.bytesWritten < 64 << 20 && socket.write(piece));
      };
      socket.on('drain', pump);
      pump();
      const ended = await Promise.race([
        closed.then(() => true),
        (async () => {
          while (socket.bytesWritten < 64 << 20 && !socket.destroyed) await new Promise(setImmediate);
          return socket.destroyed;
        })(),
      ]);
      socket.destroy();
      return ended;
    };
    const before = tellsOpenFiles ? openSockets() : 0;
    for (const [url, line] of targets)
      expect([line, await Promise.all(Array.from({ length: 16 }, () => flood(url, line)))]).toEqual([
        line,
        Array.from({ length: 16 }, () => true),
      ]);
    // Everything is given back, and both services work.
    while (tellsOpenFiles && openSockets() > before) await new Promise(setImmediate);
    expect(await chain.call('eth_chainId')).toMatchObject({ result: '0x1' });
    const ready = await fetch(`${chain.addresses['Operations']}/readyz`);
    expect(ready.status).toBe(200);
    await storage.discard();
  });

  test('reads on behind an answer that came before the body, and notices clients that are gone meanwhile', async () => {
    const { storage, targets } = await everyListener();
    const body = Buffer.alloc(300_000);
    const head = (line: string, length: number) =>
      `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${length}\r\n\r\n`;
    for (const [url, line] of targets) {
      const { write, until } = await openRaw(url);
      write(Buffer.concat([Buffer.from(head(line, body.length)), body, Buffer.from(head(line, 0))]));
      await until(/^HTTP\/1\.1 20.*HTTP\/1\.1 20/su);
    }
    const before = tellsOpenFiles ? openSockets() : 0;
    for (const [url, line] of targets) {
      const clients = await Promise.all(Array.from({ length: 16 }, () => openRaw(url)));
      for (const { write } of clients) write(Buffer.concat([Buffer.from(head(line, 10 ** 12)), body]));
      await Promise.all(clients.map(({ until }) => until(/^HTTP\/1\.1 20/u)));
      for (const [i, { socket }] of clients.entries()) if (i % 2 === 0) socket.end();
      for (const [i, { socket }] of clients.entries()) if (i % 2 === 1) socket.resetAndDestroy();
      await Promise.all(clients.map(({ closed }) => closed));
    }
    while (tellsOpenFiles && openSockets() > before) await new Promise(setImmediate);
    await storage.discard();
  });
});
