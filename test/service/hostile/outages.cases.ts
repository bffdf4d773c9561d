import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import { connectRedis } from '../../../src/service/runtime/redis';
import { resultOf } from '../../support/service/node';
import { OWN_ADDRESS } from '../../support/service/own-address';
import { noRedis, startRedis } from '../../support/service/redis';
import { startService, type TestService } from '../../support/service/service';

/** A node that can be stopped, with its connections, and started again at the same address. */
class Node {
  #server: Server | undefined;
  port = 0;
  asked = 0;

  async come(): Promise<this> {
    this.#server = createServer((request, response) => {
      void json(request).then((body) => {
        const { id, method } = body as { id: number; method: string };
        const isCheck = method === 'eth_chainId';
        if (!isCheck) this.asked += 1;
        response.end(resultOf(id, isCheck ? '0x1' : '0x10'));
      });
    }).listen(this.port, OWN_ADDRESS);
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  get url(): string {
    return `http://${OWN_ADDRESS}:${this.port}`;
  }

  async go(): Promise<void> {
    const closed = this.#server && once(this.#server, 'close');
    this.#server?.close();
    this.#server?.closeAllConnections();
    this.#server = undefined;
    await closed;
  }
}

type Outcome = { status: number; code: number | undefined; message: string };

/** Sends requests on several lanes until it is stopped. It waits for the answer to every request. */
function traffic(service: TestService, method: string, lanes = 8) {
  const outcomes: Outcome[] = [];
  const waiting = new Set<() => void>();
  let stopped = false;
  const lane = async () => {
    while (!stopped) {
      const { status, body } = await service.post({ jsonrpc: '2.0', id: 1, method });
      const { error } = body as { error?: { code: number; message: string } };
      outcomes.push({ status, code: error?.code, message: error?.message ?? '' });
      for (const check of [...waiting]) check();
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, lane));
  return {
    outcomes,
    /** Resolves after `count` more matching outcomes. */
    until: (fits: (outcome: Outcome) => boolean, count = 20) =>
      new Promise<void>((resolve) => {
        const from = outcomes.length;
        const check = () => {
          if (outcomes.slice(from).filter(fits).length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
      }),
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}

const isGood = ({ status, code }: Outcome) => status === 200 && code === undefined;

test.each([
  ['node', 'upstream', 'eth_blockNumber'],
  ['bundler', 'bundler', 'eth_supportedEntryPoints'],
])('a %s that goes away and comes back during traffic, three times', async (what, target, method) => {
  const node = await new Node().come();
  const service = await startService({
    networks: [{ name: 'mainnet', chainId: 1, [target]: { url: `${node.url}/secret` } }],
  });
  const { outcomes, until, stop } = traffic(service, method);
  await until(isGood);
  for (let round = 0; round < 3; round++) {
    await node.go();
    await until(({ status }) => status === 502);
    // Only requests that need it are affected.
    expect(await service.call('eth_chainId')).toMatchObject({ result: '0x1' });
    await node.come();
    await until(isGood);
  }
  await stop();
  const bad = outcomes.filter((outcome) => !isGood(outcome));
  expect(new Set(bad.map(({ status, code, message }) => `${status} ${code} ${message}`))).toEqual(
    new Set([`502 -32603 the network's ${what} cannot be reached`]),
  );
  // Every answer was charged, and every failure refunded.
  const chainIds = 3;
  expect(await service.used()).toBe(80 * outcomes.filter(isGood).length + 5 * chainIds);
  expect(service.logged()).not.toContain('secret');
  await node.go();
});

(noRedis === undefined ? test : test.skip)(
  `a Redis that goes away and comes back during traffic: refused, never free, and recovers by itself${noRedis ? ` (${noRedis})` : ''}`,
  async () => {
    const node = await new Node().come();
    let redis = await startRedis();
    const service = await startService({
      ledger: 'redis',
      redis: { url: redis.url },
      networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }],
    });
    const { outcomes, until, stop } = traffic(service, 'eth_blockNumber');
    await until(isGood);
    for (let round = 0; round < 2; round++) {
      redis.process.kill('SIGKILL');
      await until(({ status }) => status === 503);
      const refused = await service.post({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect((await fetch(`${service.operations}/health`)).status).toBe(503);
      redis = await startRedis(redis.port);
      // Redis came back without its data, so no key is known until this one is stored again.
      await until(({ status }) => status === 401);
      const client = await connectRedis(redis.url, () => undefined);
      await client.hSet('keystead:keys', service.key.identity.id, stored(service));
      await client.close();
      await until(isGood);
      expect((await fetch(`${service.operations}/health`)).status).toBe(200);
    }
    await stop();
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200, 401, 503]));
    // Only paid requests reached the node.
    expect(node.asked).toBe(outcomes.filter(isGood).length);
    expect(service.logged()).not.toContain(service.key.key);
    await node.go();
  },
);

/** The key as the store keeps it. */
function stored({ key }: TestService): string {
  return JSON.stringify({
    key: key.key,
    secretHash: '0'.repeat(64),
    name: 'test',
    dailyCredits: null,
    createdAt: 0,
    revokedAt: null,
  });
}
