import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

import type { KeyStore } from '../../../src/service/keys';
import { startNode } from '../../support/service/node';
import { openRaw } from '../../support/service/raw';
import { startService } from '../../support/service/service';
import { openSocket } from '../../support/service/socket';

const CHAIN_ID = { jsonrpc: '2.0', id: 7, method: 'eth_chainId', params: [] };

/** The service's ends of all connections, in the order in which they were accepted. */
const accepted: Socket[] = [];
const accept = (message: unknown) => accepted.push((message as { socket: Socket }).socket);
beforeAll(() => {
  subscribe('net.server.socket', accept);
});
beforeEach(() => accepted.splice(0));
afterAll(() => {
  unsubscribe('net.server.socket', accept);
});

/** Resets a connection, and resolves once the service has seen it. */
async function reset(socket: Socket): Promise<void> {
  const other = accepted.find(({ remotePort }) => remotePort === socket.localPort) as Socket;
  const closed = new Promise((resolve) => other.once('close', resolve));
  socket.resetAndDestroy();
  await closed;
}

/** A key store that answers when it is told to, like one on another machine. */
function slowKeys() {
  const waiting: (() => void)[] = [];
  let isSlow = true;
  return {
    verify: async (keys: KeyStore, key: string) => {
      if (isSlow) await new Promise<void>((go) => waiting.push(go));
      return keys.verify(key);
    },
    /** Resolves once that many verifications wait. */
    until: async (count: number) => {
      while (waiting.length < count) await new Promise(setImmediate);
    },
    answer: () => {
      isSlow = false;
      for (const go of waiting) go();
    },
  };
}

const head = (key: string, body: string) =>
  `POST /v3/${key} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
const upgrade = (key: string) =>
  `GET /ws/v3/${key} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

describe('a client that is gone before its key is verified', () => {
  test.each([
    ['with its whole request sent', (key: string) => head(key, JSON.stringify(CHAIN_ID)) + JSON.stringify(CHAIN_ID)],
    ['with half a body sent', (key: string) => `${head(key, JSON.stringify(CHAIN_ID))}{`],
  ])('gives its place back, %s', async (_what, text) => {
    const keys = slowKeys();
    const service = await startService({ rpc: { limits: { keyRequests: 2 } } }, { verify: keys.verify });
    for (let count = 1; count <= 2; count++) {
      const { write, socket } = await openRaw(service.url);
      write(text(service.key.key));
      await keys.until(count);
      await reset(socket);
    }
    keys.answer();
    const both = await Promise.all([service.post(CHAIN_ID), service.post(CHAIN_ID)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('gives its WebSocket back', async () => {
    const keys = slowKeys();
    const service = await startService({ rpc: { limits: { keySockets: 1 } } }, { verify: keys.verify });
    const { write, socket } = await openRaw(service.url);
    write(upgrade(service.key.key));
    await keys.until(1);
    await reset(socket);
    keys.answer();
    const { ask } = await openSocket(service.wsUrl);
    expect(await ask(CHAIN_ID)).toMatchObject({ result: '0x1' });
  });
});

test('a client that is gone in the middle of its body gives its place and its memory back', async () => {
  let verified: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (verified = resolve));
  const node = await startNode(() => '0x1');
  const service = await startService(
    {
      rpc: { limits: { keyRequests: 1, keyBytes: 200_000 } },
      networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }],
    },
    {
      verify: (keys, key) => {
        verified();
        return keys.verify(key);
      },
    },
  );
  const { write, socket } = await openRaw(service.url);
  const call = { ...CHAIN_ID, method: 'eth_call', params: ['x'.repeat(150_000)] };
  const body = JSON.stringify(call);
  write(head(service.key.key, body) + body.slice(0, 100_000));
  await begun;
  expect(await service.post(CHAIN_ID)).toMatchObject({
    status: 429,
    body: { error: { message: 'limit exceeded: 1 requests of this key in progress' } },
  });
  await reset(socket);
  expect(await service.post(call)).toMatchObject({ status: 200, body: { result: '0x1' } });
});

test('a client that closes its side and leaves while its answer is made is noticed before there is one', async () => {
  const keys = slowKeys();
  const service = await startService({ rpc: { limits: { keyRequests: 1 } } }, { verify: keys.verify });
  const { write, socket } = await openRaw(service.url);
  const body = JSON.stringify(CHAIN_ID);
  write(head(service.key.key, body) + body);
  await keys.until(1);
  // A process that ends sends no more than this: the service cannot tell it from a client that waits.
  socket.end();
  socket.destroy();
  const [other] = accepted;
  await new Promise((resolve) => other?.once('close', resolve));
  keys.answer();
  expect((await service.post(CHAIN_ID)).status).toBe(200);
});

test('offers of an upgrade add nothing to their connection', async () => {
  const service = await startService();
  const { write, until } = await openRaw(service.url);
  const offer =
    'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n\r\n';
  const listeners: number[] = [];
  for (let count = 1; count <= 5; count++) {
    write(offer);
    await until(new RegExp(`(?:HTTP/1.1 404[^]*){${count}}`, 'u'));
    listeners.push((accepted[0] as Socket).listenerCount('close'));
  }
  expect(new Set(listeners).size).toBe(1);
});
