import { once } from 'node:events';
import { join } from 'node:path';

import { utcDay } from '../../../src/service/chain/credits';
import { openSqliteLedger } from '../../../src/service/chain/credits/sqlite';
import { beat, fakeBeats } from '../../support/service/beats';
import { resultOf, startNode, TAKEN } from '../../support/service/node';
import { testWithinOneDay } from '../../support/service/one-day';
import { startService } from '../../support/service/service';
import { openSocket, refusedSocket } from '../../support/service/socket';

const chainId = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' });
const uncle = { jsonrpc: '2.0', id: 1, method: 'eth_getUncleByBlockNumberAndIndex', params: ['earliest', '0x0'] };

test('each frame holds one request', async () => {
  const { wsUrl } = await startService();
  const { ask, send, next } = await openSocket(wsUrl);
  expect(await ask(chainId('x'))).toEqual({ jsonrpc: '2.0', id: 'x', result: '0x1' });
  expect(await ask('{')).toMatchObject({ id: null, error: { code: -32700 } });
  expect(await ask([chainId(1)])).toMatchObject({ id: null, error: { code: -32600 } });
  expect(await ask(5)).toMatchObject({ id: null, error: { code: -32600 } });
  expect(await ask({ jsonrpc: '2.0', id: 2, method: 'eth_subscribe', params: ['newHeads'] })).toMatchObject({
    id: 2,
    error: { code: -32601 },
  });
  send({ jsonrpc: '2.0', method: 'eth_chainId' });
  expect(await ask(chainId(3))).toMatchObject({ id: 3 });
  send(chainId(4));
  send(chainId(5));
  expect([await next(), await next()]).toMatchObject([{ id: 4 }, { id: 5 }]);
});

test('an unknown key, another path and a stopped network are refused before the connection is made', async () => {
  const { url, key } = await startService();
  const ws = url.replace('http', 'ws');
  expect(await refusedSocket(`${ws}/ws/v3/nobody`)).toEqual({
    status: 401,
    body: { jsonrpc: '2.0', id: null, error: { code: 401, message: 'Unauthorized', details: 'invalid project id' } },
  });
  expect(await refusedSocket(`${ws}/v3/${key.key}`)).toMatchObject({ status: 404, body: { error: { code: -32600 } } });
  expect(await refusedSocket(`${ws}/ws/v3/`)).toMatchObject({ status: 404 });
});

test('a frame that is too large closes with 1009', async () => {
  const { wsUrl } = await startService({ rpc: { limits: { frameBytes: 1000 } } });
  for (const data of ['x'.repeat(1001), Buffer.alloc(1001)]) {
    const { socket, closed } = await openSocket(wsUrl);
    socket.send(data);
    expect((await closed)[0]).toBe(1009);
  }
});

testWithinOneDay(
  'at the daily limit the client is told in the documented shape, and the connection is closed',
  async () => {
    const { wsUrl } = await startService({ credits: { daily: 320 } });
    const { ask, closed } = await openSocket(wsUrl);
    expect(await ask(uncle)).toMatchObject({ result: null });
    expect(await ask(uncle)).toMatchObject({ result: null });
    expect(await ask(uncle)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: 402,
        event: -33000,
        message: 'Payment Required',
        details:
          'You have reached your daily credit limit. This request costs 150 credits, and fewer are left of the 320 that this key has from midnight to midnight UTC.',
      },
    });
    expect(await closed).toEqual([1008, 'daily credit limit reached']);
  },
);

testWithinOneDay('requests paid for before the limit are answered before the connection is closed', async () => {
  const held: (() => void)[] = [];
  const node = await startNode(({ id }, response) => {
    held.push(() => response.end(resultOf(id, '0x10')));
    return TAKEN;
  });
  const networks = [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }];
  const { wsUrl } = await startService({ networks, credits: { daily: 165 } });
  const { send, ask, next, closed } = await openSocket(wsUrl);
  for (const id of [1, 2]) send({ jsonrpc: '2.0', id, method: 'eth_blockNumber' });
  expect(await ask({ jsonrpc: '2.0', id: 3, method: 'eth_blockNumber' })).toMatchObject({
    id: 3,
    error: { code: 402 },
  });
  for (let answered = 0; answered < 2;) {
    if (held.length === 0) await new Promise(setImmediate);
    else {
      held.shift()?.();
      expect(await next()).toMatchObject({ result: '0x10' });
      answered += 1;
    }
  }
  expect(await closed).toEqual([1008, 'daily credit limit reached']);
});

test('a revoked key stops working with its next frame', async () => {
  const { wsUrl, keys, key } = await startService();
  const { ask, closed } = await openSocket(wsUrl);
  expect(await ask(chainId(1))).toMatchObject({ result: '0x1' });
  await keys.revoke(key.key);
  expect(await ask(chainId(2))).toMatchObject({ error: { code: 401 } });
  expect((await closed)[0]).toBe(1008);
});

test('concurrent requests never exceed the limit, and none is lost', async () => {
  const held: (() => void)[] = [];
  const node = await startNode(({ id }, response) => {
    held.push(() => response.end(resultOf(id, '0x10')));
    if (held.length >= 2) for (const release of held.splice(0)) release();
    return TAKEN;
  });
  const networks = [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }];
  const { wsUrl } = await startService({ networks, rpc: { limits: { socketRequests: 2 } } });
  const { send, next } = await openSocket(wsUrl);
  for (let id = 0; id < 8; id++) send({ jsonrpc: '2.0', id, method: 'eth_blockNumber' });
  const answers = [];
  for (let i = 0; i < 8; i++) answers.push(await next());
  expect(answers.map(({ id }) => id).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(held).toHaveLength(0);
});

test('a client whose requests arrive is alive, even if its pong is queued behind them', async () => {
  fakeBeats();
  try {
    const { wsUrl } = await startService();
    const { ask, socket, closed } = await openSocket(wsUrl, { autoPong: false });
    const pinged = once(socket, 'ping');
    beat();
    await pinged;
    expect(await ask(chainId(1))).toMatchObject({ result: '0x1' });
    beat();
    expect(await ask(chainId(2))).toMatchObject({ result: '0x1' });
    beat();
    beat();
    expect((await closed)[0]).toBe(1006);
  } finally {
    jest.useRealTimers();
  }
});

test('a client at its request limit is alive, even if its pong is not read', async () => {
  const held: (() => void)[] = [];
  let asked: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (asked = resolve));
  const node = await startNode(({ id }, response) => {
    held.push(() => response.end(resultOf(id, '0x10')));
    if (held.length === 2) asked();
    return TAKEN;
  });
  const networks = [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }];
  fakeBeats();
  try {
    const { wsUrl } = await startService({ networks, rpc: { limits: { socketRequests: 2 } } });
    const { ask, send, next, socket, closed } = await openSocket(wsUrl, { autoPong: false });
    for (const id of [1, 2]) send({ jsonrpc: '2.0', id, method: 'eth_blockNumber' });
    await arrived;
    for (let times = 0; times < 4; times++) beat();
    for (const release of held) release();
    for (let answer = 0; answer < 2; answer++)
      expect(await Promise.race([next(), closed])).toMatchObject({ result: '0x10' });
    // It is read from again, and from here on its pong is missed.
    expect(await ask(chainId(3))).toMatchObject({ result: '0x1' });
    const pinged = once(socket, 'ping');
    beat();
    await pinged;
    beat();
    expect((await closed)[0]).toBe(1006);
  } finally {
    jest.useRealTimers();
  }
});

test('while keys cannot be verified, the client is told to come back later', async () => {
  const { wsUrl, keys } = await startService();
  const { ask, closed } = await openSocket(wsUrl);
  await keys.close();
  expect(await ask(chainId(1))).toMatchObject({ error: { code: -32603 } });
  expect(await closed).toEqual([1013, 'API keys cannot be verified right now, try again']);
});

test('a stop answers the requests in progress, closes the connection, and accepts nobody else', async () => {
  let release: (() => void) | undefined;
  let asked: (() => void) | undefined;
  const arrived = new Promise<void>((resolve) => (asked = resolve));
  const node = await startNode(({ id }, response) => {
    release = () => response.end(resultOf(id, '0x10'));
    asked?.();
    return TAKEN;
  });
  const networks = [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }];
  const service = await startService({ networks, rpc: { drainMs: 600_000 } });
  const { send, next, closed } = await openSocket(service.wsUrl);
  const idle = await openSocket(service.wsUrl);
  const blockNumber = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' };
  send(blockNumber);
  await arrived;
  const stopped = service.stop();
  expect(await idle.closed).toEqual([1001, 'the service is stopping']);
  await expect(openSocket(service.wsUrl)).rejects.toThrow();
  release?.();
  expect(await next()).toMatchObject({ id: 1, result: '0x10' });
  expect(await closed).toEqual([1001, 'the service is stopping']);
  await stopped;
});

test('a stop does not wait for a connection whose key was still being verified as it began', async () => {
  const service = await startService({ rpc: { drainMs: 600_000 } });
  const verify = service.keys.verify.bind(service.keys);
  let check: () => void = () => undefined;
  const checked = new Promise<void>((resolve) => (check = resolve));
  let asked: () => void = () => undefined;
  const asking = new Promise<void>((resolve) => (asked = resolve));
  jest.spyOn(service.keys, 'verify').mockImplementation(async (key) => {
    asked();
    await checked;
    return verify(key);
  });
  const refused = refusedSocket(service.wsUrl);
  await asking;
  const stopped = service.stop();
  check();
  expect(await refused).toMatchObject({ status: 503 });
  await stopped;
});

testWithinOneDay(
  'a stop waits no longer than allowed for requests in progress, and refunds their credits',
  async () => {
    let asked: (() => void) | undefined;
    const node = await startNode(({ method }) => {
      if (method === 'eth_gasPrice') return '0x1';
      asked?.();
      return TAKEN;
    });
    const upstream = { url: node.url, timeoutMs: 86_400_000 };
    const networks = [{ name: 'mainnet', chainId: 1, upstream }];
    const service = await startService({ networks, rpc: { drainMs: 10 } });
    const arrived = (times: number) =>
      new Promise<void>((resolve) => {
        asked = () => {
          times -= 1;
          if (times === 0) resolve();
        };
      });
    // Over a connection that the node has answered on before: it is not asked again over another one.
    await service.call('eth_gasPrice');
    const both = arrived(2);
    const { send, closed } = await openSocket(service.wsUrl);
    send({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' });
    const cutOff = service.call('eth_blockNumber').catch(() => 'cut off');
    await both;
    await service.stop();
    expect((await closed)[0]).toBe(1006);
    expect(await cutOff).toBe('cut off');
    expect(node.calls.map(({ method }) => method)).toEqual(['eth_gasPrice', 'eth_blockNumber', 'eth_blockNumber']);
    const ledger = openSqliteLedger(join(service.dataDir, 'credits.sqlite'));
    expect(await ledger.used(service.key.identity.id, utcDay(Date.now()))).toBe(80);
    await ledger.close();
    expect(service.logged()).not.toContain('credits could not be refunded');
  },
);
