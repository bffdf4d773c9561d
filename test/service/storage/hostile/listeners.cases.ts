import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { type Socket } from 'node:net';
import { Registry } from 'prom-client';
import { offer, openClient, plain } from '../../../support/service/offers';
import { IF_TOLD, tellsOpenFiles } from '../../../support/service/open-files';
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
});
