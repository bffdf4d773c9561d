import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { deflateRawSync } from 'node:zlib';

import { WebSocket } from 'ws';

import { inTime } from '../../support/service/in-time';
import { beat, fakeBeats } from '../../support/service/beats';
import { resultOf, startNode, TAKEN } from '../../support/service/node';
import { openRaw, type RawConnection } from '../../support/service/raw';
import { startService, type TestService } from '../../support/service/service';
import { openSocket } from '../../support/service/socket';

const CHAIN_ID = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
const TEXT = 1;
const CONTINUATION = 0;
const PING = 9;
const FIN = 0x80;
const COMPRESSED = 0x40;

/** A frame as a client sends it, or one that it must not send (RFC 6455, section 5.2). */
function frame(opcode: number, payload: Uint8Array | string = '', { flags = FIN, masked = true } = {}): Buffer {
  const bytes = Buffer.from(payload);
  const { length } = bytes;
  const size =
    length < 126
      ? [length]
      : length < 65_536
        ? [126, length >> 8, length & 255]
        : [127, 0, 0, 0, 0, ...Uint8Array.of(length >>> 24, length >>> 16, length >>> 8, length)];
  size[0] = (size[0] ?? 0) | (masked ? 0x80 : 0);
  // A mask of zeros changes nothing.
  return Buffer.concat([Buffer.of(flags | opcode, ...size), Buffer.alloc(masked ? 4 : 0), bytes]);
}

const handshake = (path: string, headers: readonly string[] = []) =>
  [`GET ${path} HTTP/1.1`, 'Host: x', 'Upgrade: websocket', 'Connection: Upgrade', ...headers, '', ''].join('\r\n');
const KEY = ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'];

afterEach(() => {
  jest.useRealTimers();
});

async function openFrames(service: TestService): Promise<RawConnection> {
  const raw = await openRaw(service.url);
  raw.write(handshake(`/ws/v3/${service.key.key}`, KEY));
  await raw.until(/^HTTP\/1\.1 101 .*\r\n\r\n/su);
  return raw;
}

/** The code of the close frame at the end of what was received. */
const closeCode = (received: string) => {
  const bytes = Buffer.from(received, 'latin1');
  const at = bytes.lastIndexOf(0x88);
  return at < 0 ? undefined : bytes.readUInt16BE(at + 2);
};

const sockets = async (service: TestService) =>
  Number(/^keystead_rpc_sockets\{[^}]*\} (\d+)$/mu.exec(await service.metrics())?.[1] ?? 0);

async function expectWell(service: TestService): Promise<void> {
  const { ask, socket } = await openSocket(service.wsUrl);
  expect(await ask(CHAIN_ID)).toMatchObject({ result: '0x1' });
  socket.terminate();
  expect(service.logged()).not.toContain('unexpected error');
}

describe('handshakes', () => {
  test.each<[string, (key: string) => string, RegExp]>([
    ['without a nonce', (key) => handshake(`/ws/v3/${key}`), /^HTTP\/1\.1 400 /u],
    [
      'of another version',
      (key) => handshake(`/ws/v3/${key}`, [KEY[0] ?? '', 'Sec-WebSocket-Version: 99']),
      /^HTTP\/1\.1 (?:400|426) /u,
    ],
    [
      'with a nonce of nonsense',
      (key) => handshake(`/ws/v3/${key}`, ['Sec-WebSocket-Key: x', KEY[1] ?? '']),
      /^HTTP\/1\.1 400 /u,
    ],
    [
      'to become something else',
      (key) => handshake(`/ws/v3/${key}`, KEY).replace('websocket', 'h2c'),
      /^HTTP\/1\.1 400 /u,
    ],
    ['without a key', () => handshake('/ws/v3/nobody', KEY), /^HTTP\/1\.1 401 /u],
    ['to no address', () => handshake('/', KEY), /^HTTP\/1\.1 404 /u],
    ['with POST', (key) => handshake(`/ws/v3/${key}`, KEY).replace('GET', 'POST'), /^HTTP\/1\.1 405 /u],
  ])(
    '%s are rejected, and the connection is closed even if the client keeps it open',
    async (_name, text, expected) => {
      const service = await startService({ rpc: { limits: { connections: 1 } } });
      const { write, until, socket } = await openRaw(service.url);
      socket.allowHalfOpen = true;
      write(text(service.key.key));
      await until(expected);
      // Its place is free, though this side never said goodbye.
      await once(socket, 'end');
      let next: RawConnection | undefined;
      for (let left = 1000; next === undefined && left > 0; left--) {
        const attempt = await openRaw(service.url);
        attempt.write(handshake(`/ws/v3/${service.key.key}`, KEY));
        next = await attempt.until(/^HTTP\/1\.1 101 /u).then(
          () => attempt,
          () => undefined,
        );
      }
      expect(next).toBeDefined();
    },
  );

  test('an incomplete handshake times out', async () => {
    const service = await startService({ rpc: { limits: { requestMs: 100 } } });
    const { write, closed } = await openRaw(service.url);
    write(handshake(`/ws/v3/${service.key.key}`, KEY).slice(0, -2));
    expect(await closed).toMatch(/^HTTP\/1\.1 408 /u);
    await inTime(() => expectWell(service));
  });

  test('no extension is negotiated', async () => {
    const service = await startService();
    const { write, until } = await openRaw(service.url);
    write(handshake(`/ws/v3/${service.key.key}`, [...KEY, 'Sec-WebSocket-Extensions: permessage-deflate']));
    const [head] = await until(/^HTTP\/1\.1 101 .*\r\n\r\n/su);
    expect(head).not.toMatch(/extensions/iu);
  });
});

describe('frames', () => {
  const bomb = deflateRawSync(Buffer.alloc(50 << 20));
  test.each<[string, Buffer, number]>([
    ['not masked', frame(TEXT, CHAIN_ID, { masked: false }), 1002],
    ['compressed, though nobody agreed to it', frame(TEXT, bomb, { flags: FIN | COMPRESSED }), 1002],
    ['with reserved bits', frame(TEXT, CHAIN_ID, { flags: FIN | 0x30 }), 1002],
    ['of a kind that does not exist', frame(5, CHAIN_ID), 1002],
    ['that continue nothing', frame(CONTINUATION, CHAIN_ID), 1002],
    ['that begin within another', Buffer.concat([frame(TEXT, '{', { flags: 0 }), frame(TEXT, '}')]), 1002],
    ['a ping in pieces', frame(PING, 'x', { flags: 0 }), 1002],
    ['a ping that is too long', frame(PING, 'x'.repeat(126)), 1002],
    ['no text', frame(TEXT, Buffer.of(0xff, 0xfe)), 1007],
    ['half a character', frame(TEXT, Buffer.of(0x22, 0xe2, 0x82)), 1007],
    ['larger than allowed', frame(TEXT, Buffer.alloc(5000, 0x20)), 1009],
    ['a length of petabytes', Buffer.of(0x81, 0xff, 0, 31, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0), 1009],
    ['a length beyond all numbers', Buffer.of(0x81, 0xff, 255, 255, 255, 255, 255, 255, 255, 255), 1009],
  ])('%s: closed with the matching code', async (_name, bytes, code) => {
    const service = await startService({ rpc: { limits: { frameBytes: 4096 } } });
    const { write, closed, socket } = await openFrames(service);
    write(bytes);
    socket.end();
    expect(closeCode(await closed)).toBe(code);
    await expectWell(service);
    expect(await service.used()).toBe(5);
  });

  test('a fragmented message that is too large in total', async () => {
    const service = await startService({ rpc: { limits: { frameBytes: 4096 } } });
    const { write, closed, socket } = await openFrames(service);
    write(frame(TEXT, '[', { flags: 0 }));
    for (let left = 50; left > 0; left--) write(frame(CONTINUATION, ' '.repeat(100), { flags: 0 }));
    socket.end();
    expect(closeCode(await closed)).toBe(1009);
    await expectWell(service);
  });

  test.each([
    ['of one byte', ' '],
    ['of nothing', ''],
  ])('an endless message in pieces %s is cut off', async (_name, piece) => {
    const service = await startService();
    const { write, closed, socket } = await openFrames(service);
    write(frame(TEXT, '[', { flags: 0 }));
    const pieces = frame(CONTINUATION, piece, { flags: 0 });
    write(Buffer.concat(Array.from({ length: 20_000 }, () => pieces)));
    socket.end();
    expect([1008, 1009]).toContain(closeCode(await closed));
    await expectWell(service);
  });

  test('endless pings whose pongs nobody reads end the connection', async () => {
    const service = await startService();
    const { socket, closed } = await openFrames(service);
    socket.pause();
    const pings = Buffer.concat(Array.from({ length: 1000 }, () => frame(PING, 'x'.repeat(125))));
    const pump = () => {
      while (socket.writable && socket.write(pings));
    };
    socket.on('drain', pump);
    const gone = once(socket, 'error');
    pump();
    await gone;
    await closed;
    for (let left = 1000; (await sockets(service)) > 0 && left > 0; left--) await service.call('eth_chainId');
    expect(await sockets(service)).toBe(0);
    await expectWell(service);
  });

  test('pings whose pongs are read are answered', async () => {
    const service = await startService();
    const socket = new WebSocket(service.wsUrl);
    await once(socket, 'open');
    for (let turn = 0; turn < 200; turn++) {
      socket.ping(String(turn));
      expect(String((await once(socket, 'pong'))[0])).toBe(String(turn));
    }
    socket.terminate();
  });

  test('frames that arrive in one chunk are queued', async () => {
    const held: (() => void)[] = [];
    const node = await startNode(({ id, method }, response) => {
      if (method === 'eth_gasPrice') return '0x1';
      held.push(() => response.end(resultOf(id, '0x10')));
      return TAKEN;
    });
    const networks = [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }];
    const service = await startService({ networks, rpc: { limits: { socketRequests: 2 } } });
    const { write, until } = await openFrames(service);
    write(Buffer.concat(Array(8).fill(frame(TEXT, CHAIN_ID.replace('eth_chainId', 'eth_blockNumber')))));
    for (let left = 8; left > 0; left--) {
      while (held.length < Math.min(2, left)) await new Promise(setImmediate);
      // Whatever else had been passed on would be at the node before these are.
      for (let turn = 0; turn < 10; turn++) await service.call('eth_gasPrice');
      expect(held.length).toBeLessThanOrEqual(2);
      held.shift()?.();
    }
    await until(/(?:"result":"0x10"[^]*){8}/u);
  });

  test('a client that never reads its responses holds only its share, and is disconnected', async () => {
    fakeBeats();
    const padding = 'x'.repeat(100_000);
    const node = await startNode(() => padding);
    const service = await startService({
      rpc: { limits: { socketRequests: 4, keyPerSecond: 1_000_000, keyBurst: 1_000_000 } },
      networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }],
    });
    const { socket } = await openFrames(service);
    socket.pause();
    const request = frame(TEXT, `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":["${padding}"]}`);
    const answered = async () =>
      Number(/method="eth_call",transport="ws",outcome="ok"\} (\d+)/u.exec(await service.metrics())?.[1] ?? 0);
    // As much as the other side takes: it stops reading when four answers wait. What waits in between, in buffers of
    // the system, is as much as there is room for on this machine.
    let [asked, before, still] = [0, 0, 0];
    for (; still < 50 && asked < 2000; asked++) {
      socket.write(request);
      await service.call('eth_chainId');
      const now = await answered();
      still = now === before && socket.writableLength > 0 ? still + 1 : 0;
      before = now;
    }
    expect(still).toBe(50);
    expect(before).toBeLessThan(asked - 40);
    const open = await sockets(service);
    for (let times = 0; times < 2; times++) beat();
    for (let left = 1000; (await sockets(service)) > 0 && left > 0; left--) await service.call('eth_chainId');
    expect([open, await sockets(service)]).toEqual([1, 0]);
    socket.destroy();
    await expectWell(service);
  });

  test('noise closes the connection, and affects nobody else', async () => {
    const service = await startService();
    for (let turn = 0; turn < 50; turn++) {
      const { write, socket, closed } = await openFrames(service);
      write(createHash('shake256', { outputLength: 200 }).update(`noise ${turn}`).digest());
      socket.end();
      await closed;
    }
    await expectWell(service);
  });
});

describe('a message that is not complete', () => {
  const FIRST = 0x01;
  const MORE = 0;
  const limited = (limits: Record<string, number>) => ({ rpc: { limits } });
  /** The beginning of a message of a megabyte. */
  const beginning = (bytes: number) => {
    const whole = frame(TEXT, Buffer.alloc(1 << 20, ' '));
    return whole.subarray(0, bytes);
  };
  const lastCode = async ({ closed }: RawConnection) => closeCode(await closed);

  test('counts as memory of its key from its first byte, on all connections together', async () => {
    const service = await startService(limited({ keyBytes: 300_000 }));
    const other = await service.keys.create({ name: 'other', dailyCredits: undefined });
    const opened = await Promise.all([1, 2, 3, 4].map(() => openFrames(service)));
    for (const raw of opened) raw.write(beginning(200_000));
    // One may arrive whole, so that it can be refused by an answer.
    const codes: unknown[] = [];
    const ends = opened.map(async (raw) => codes.push(await lastCode(raw)));
    while (codes.length < 2) await new Promise(setImmediate);
    expect(new Set(codes)).toEqual(new Set([1008]));
    expect((await service.post(CHAIN_ID, { key: other.key })).status).toBe(200);
    for (const { socket } of opened) socket.destroy();
    await Promise.all(ends);
    while ((await sockets(service)) > 0) await new Promise(setImmediate);
    // Everything was given back.
    const { ask } = await openSocket(service.wsUrl);
    expect(await ask(CHAIN_ID)).toMatchObject({ result: '0x1' });
  });

  test('in many small fragments, weighs more than its bytes', async () => {
    const service = await startService(limited({ frameBytes: 100_000 }));
    const raw = await openFrames(service);
    raw.write(frame(FIRST, 'x', { flags: MORE }));
    raw.write(Buffer.concat(Array.from({ length: 1000 }, () => frame(CONTINUATION, 'x', { flags: MORE }))));
    expect(await lastCode(raw)).toBe(1009);
  });

  test('with pings between its fragments, which are counted, too', async () => {
    const service = await startService(limited({ frameBytes: 100_000 }));
    const raw = await openFrames(service);
    raw.write(frame(FIRST, 'x', { flags: MORE }));
    raw.write(Buffer.concat(Array.from({ length: 1000 }, () => frame(PING, Buffer.alloc(125)))));
    expect(await lastCode(raw)).toBe(1009);
  });

  test('is closed after the time of a request, although its client answers pings', async () => {
    const service = await startService(limited({ requestMs: 500 }));
    const raw = await openFrames(service);
    raw.write(frame(FIRST, '{', { flags: MORE }));
    const pong = setInterval(() => {
      raw.write(frame(0x0a));
    }, 50);
    expect(await lastCode(raw)).toBe(1008);
    clearInterval(pong);
  });

  test('that ends in time is answered, with pongs between its fragments', async () => {
    const service = await startService(limited({ keyBytes: 3000 }));
    const raw = await openFrames(service);
    for (let i = 0; i < 5; i++) {
      const half = CHAIN_ID.length >> 1;
      raw.write(frame(FIRST, CHAIN_ID.slice(0, half), { flags: MORE }));
      raw.write(frame(0x0a));
      raw.write(frame(CONTINUATION, CHAIN_ID.slice(half)));
    }
    await raw.until(/(?:"result":"0x1"[^]*){5}/u);
    raw.socket.destroy();
  });
});
