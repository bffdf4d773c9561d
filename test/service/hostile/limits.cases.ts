import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { startNode, TAKEN } from '../../support/service/node';
import { openRaw } from '../../support/service/raw';
import { startService, type TestService } from '../../support/service/service';
import { openSocket, refusedSocket } from '../../support/service/socket';

const CHAIN_ID = { jsonrpc: '2.0', id: 7, method: 'eth_chainId', params: [] };
const limited = (message: string, id: number | null = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32005, message: `limit exceeded: ${message}` },
});

/** A client of another key is answered meanwhile. */
async function expectOthersAnswered(service: TestService): Promise<void> {
  const { key } = await service.keys.create();
  expect((await service.post(CHAIN_ID, { key })).body).toMatchObject({ result: '0x1' });
}

const withLimits = (limits: object, url?: string) => ({
  rpc: { limits },
  ...(url !== undefined && { networks: [{ name: 'mainnet', chainId: 1, upstream: { url } }] }),
});

describe('the rate of a key', () => {
  const SLOW = { keyPerSecond: 1, keyBurst: 2 };

  /** The time that rates go by: nothing comes back during a test, however slow the machine is. */
  let now = 0;
  beforeEach(() => {
    now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  test('is refused with 429, Retry-After and the limit, and is free', async () => {
    const service = await startService(withLimits(SLOW));
    await Promise.all([service.post(CHAIN_ID), service.post(CHAIN_ID)]);
    const before = await service.used();
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.post(CHAIN_ID)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(answers.length);
    expect(refused[0]).toMatchObject({ body: limited('1 requests per second for this key') });
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(await service.used()).toBe(before);
    expect(await service.metrics()).toContain('keystead_rpc_refused_total{reason="429"}');
    await expectOthersAnswered(service);
  });

  test('counts each item of a batch', async () => {
    const service = await startService(withLimits({ keyPerSecond: 1, keyBurst: 50 }));
    const batch = (items: number) => service.post(Array.from({ length: items }, () => CHAIN_ID));
    expect((await batch(40)).status).toBe(200);
    expect(await batch(40)).toMatchObject({ status: 429, body: limited('1 requests per second for this key') });
    await expectOthersAnswered(service);
  });

  test('counts each frame: the answer has its id, and the WebSocket is read again later', async () => {
    const service = await startService(withLimits({ keyPerSecond: 1, keyBurst: 3 }));
    const { send, next } = await openSocket(service.wsUrl);
    const ids = Array.from({ length: 6 }, (_, id) => id);
    for (const id of ids) send({ ...CHAIN_ID, id });
    const answers: Record<string, unknown>[] = [];
    while (answers.length < 3) answers.push(await next());
    expect(answers.filter(({ error }) => error !== undefined)).toEqual([
      limited('1 requests per second for this key', 2),
    ]);
    await expectOthersAnswered(service);
    now += 3000;
    while (answers.length < ids.length) answers.push(await next());
    expect(answers.map(({ id }) => id).sort()).toEqual(ids);
  });

  test('counts the pieces of a large body', async () => {
    const node = await startNode(() => '0x1');
    const service = await startService(withLimits({ keyPerSecond: 1, keyBurst: 10 }, node.url));
    const large = { ...CHAIN_ID, method: 'eth_call', params: ['x'.repeat(8 * 65_536)] };
    expect((await service.post(large)).status).toBe(200);
    expect((await service.post(large)).status).toBe(429);
    await expectOthersAnswered(service);
  });
});

test('requests of one key in progress are limited, others are answered', async () => {
  const node = await startNode(() => TAKEN);
  const service = await startService(withLimits({ keyRequests: 3 }, node.url));
  const open = await Promise.all(Array.from({ length: 3 }, () => openRaw(service.url)));
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
  const head = `POST /v3/${service.key.key} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
  for (const { write } of open) write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  while (node.calls.length < 3) await new Promise(setImmediate);
  expect(await service.post(CHAIN_ID)).toMatchObject({
    status: 429,
    body: limited('3 requests of this key in progress'),
  });
  const { ask } = await openSocket(service.wsUrl);
  expect(await ask(CHAIN_ID)).toEqual(limited('3 requests of this key in progress', 7));
  await expectOthersAnswered(service);
});

test('WebSockets of one key are limited', async () => {
  const service = await startService(withLimits({ keySockets: 2 }));
  const first = await openSocket(service.wsUrl);
  await openSocket(service.wsUrl);
  expect(await refusedSocket(service.wsUrl)).toEqual({ status: 429, body: limited('2 WebSockets of this key') });
  await expectOthersAnswered(service);
  first.socket.close();
  await first.closed;
  let opened: unknown;
  while (opened === undefined) opened = await openSocket(service.wsUrl).catch(() => undefined);
});

test('bytes of large bodies in progress are limited, by key and together', async () => {
  const node = await startNode(() => TAKEN);
  const service = await startService(withLimits({ keyBytes: 300_000, allBytes: 400_000 }, node.url));
  const large = { ...CHAIN_ID, method: 'eth_call', params: ['x'.repeat(200_000)] };
  service.post(large).catch(() => undefined);
  while (node.calls.length < 1) await new Promise(setImmediate);
  expect((await service.post(large)).body).toEqual(limited('300000 bytes of large requests of this key in progress'));
  const { key } = await service.keys.create();
  service.post({ ...large, params: ['x'.repeat(150_000)] }, { key }).catch(() => undefined);
  while (node.calls.length < 2) await new Promise(setImmediate);
  const third = await service.keys.create();
  expect(await service.post(large, { key: third.key })).toMatchObject({ status: 503 });
  await expectOthersAnswered(service);
});

test('bytes of large frames count like those of bodies', async () => {
  const node = await startNode(() => TAKEN);
  const service = await startService(withLimits({ keyBytes: 300_000 }, node.url));
  const large = { ...CHAIN_ID, method: 'eth_call', params: ['x'.repeat(200_000)] };
  const [first, second] = [await openSocket(service.wsUrl), await openSocket(service.wsUrl)];
  first.send(large);
  while (node.calls.length < 1) await new Promise(setImmediate);
  expect(await second.ask(large)).toMatchObject(limited('300000 bytes of large requests of this key in progress'));
  first.socket.terminate();
  await expectOthersAnswered(service);
});

describe('a long request', () => {
  const long = (method: string) => ({ ...CHAIN_ID, method, params: ['0x29c', '0x0'], padding: 'x'.repeat(2000) });
  const refused = {
    error: { code: -32600, message: 'invalid request: a request for this method is at most 1024 bytes long' },
  };

  test('is refused for a method that is answered here, at the price of an invalid request', async () => {
    const service = await startService();
    const uncle = long('eth_getUncleByBlockNumberAndIndex');
    expect(await service.post(uncle)).toMatchObject({ status: 413, body: refused });
    expect((await service.post([CHAIN_ID, uncle])).body).toMatchObject(refused);
    const { ask } = await openSocket(service.wsUrl);
    expect(await ask(uncle)).toMatchObject(refused);
    expect(await service.used()).toBe(15);
  });

  test('is forwarded for a method of the node, at a price that grows with it', async () => {
    const node = await startNode(() => '0x1');
    const service = await startService(withLimits({}, node.url));
    const priceOf = async (ask: () => Promise<unknown>) => {
      const before = await service.used();
      expect(await ask()).toMatchObject({ result: '0x1' });
      return (await service.used()) - before;
    };
    const sized = (bytes: number) => {
      const empty = JSON.stringify({ ...CHAIN_ID, method: 'eth_call', params: [''] }).length;
      return { ...CHAIN_ID, method: 'eth_call', params: ['x'.repeat(bytes - empty)] };
    };
    const post = async (bytes: number) => (await service.post(sized(bytes))).body;
    const { ask } = await openSocket(service.wsUrl);
    for (const [bytes, price] of [
      [2000, 80],
      [65_536, 80],
      [65_537, 160],
      [400_000, 80 + 6 * 80],
    ] as const) {
      expect(await priceOf(() => post(bytes))).toBe(price);
      expect(await priceOf(() => ask(sized(bytes)))).toBe(price);
    }
    const batch = [sized(65_537), sized(100)];
    const before = await service.used();
    await service.post(batch);
    expect((await service.used()) - before).toBe(160 + 80);
  });

  test('is refused while it is still being sent', async () => {
    const service = await startService();
    const { write, until } = await openRaw(service.url);
    write(
      `POST /v3/${service.key.key} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000000\r\n\r\n` +
        JSON.stringify(long('eth_chainId')),
    );
    await until(/^HTTP\/1\.1 413 [^]*connection: close[^]*at most 1024 bytes long/u);
    await expectOthersAnswered(service);
  });
});

test('a request that takes too long is answered 504, free, and its call is aborted', async () => {
  let aborted = 0;
  const node = await startNode((_call, response) => {
    // It may have been aborted while its body arrived.
    if (response.closed) aborted += 1;
    else response.once('close', () => (aborted += 1));
    return TAKEN;
  });
  const service = await startService(withLimits({ answerMs: 1000 }, node.url));
  const request = { ...CHAIN_ID, method: 'eth_getLogs' };
  expect(await service.post(request)).toMatchObject({ status: 504, body: { id: 7, error: { code: -32603 } } });
  const { body } = await service.post(Array.from({ length: 40 }, (_, id) => ({ ...request, id })));
  const messages = (body as { error: { message: string } }[]).map(({ error }) => error.message);
  expect(new Set(messages.slice(0, 16))).toEqual(new Set(["the network's node took too long to answer"]));
  expect(new Set(messages.slice(16))).toEqual(new Set(['the request took longer than 1 seconds']));
  expect(await service.used()).toBe(0);
  // Those that a busy node has not read by then never reach it.
  expect(node.calls.length).toBeGreaterThan(0);
  while (aborted < node.calls.length) await new Promise(setImmediate);
});

test('a new connection replaces the one that has been idle the longest', async () => {
  const service = await startService(withLimits({ connections: 3 }));
  const open = (): Socket => connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
  const sockets: Socket[] = [];
  const request = `POST /v3/${service.key.key} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${JSON.stringify(CHAIN_ID).length}\r\n\r\n${JSON.stringify(CHAIN_ID)}`;
  const ask = async (socket: Socket) => {
    socket.write(request);
    return String((await once(socket, 'data'))[0]);
  };
  try {
    for (let count = 0; count < 3; count++) {
      const socket = open();
      sockets.push(socket);
      expect(await ask(socket)).toContain('"0x1"');
    }
    const [first, second] = sockets as [Socket, Socket];
    // The first has just been used, so the second has been idle the longest.
    await ask(first);
    const closed = once(second, 'close');
    sockets.push(open());
    await closed;
    expect(await ask(first)).toContain('"0x1"');
    expect(await ask(sockets[3] as Socket)).toContain('"0x1"');
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});
