import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

import fc from 'fast-check';

import { createListener, endConnections, listen } from '../../../src/service/admission/listener';
import { openRaw, type RawConnection } from '../../support/service/raw';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
const END = '0\r\n\r\n';

/** Chunks of a chunked body, each with so many of the bytes. */
function chunked(bytes: Buffer, sizes: readonly number[]): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const chunk = bytes.subarray(at, at + sizes[turn % sizes.length]!);
    at += chunk.length;
    pieces.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat(pieces);
}

const PATTERN = Buffer.from(Array.from({ length: 251 }, (_, i) => i));
const numbered = (length: number) => Buffer.alloc(length, PATTERN);
const turn = () => new Promise(setImmediate);

const server = createListener(undefined, { requestMs: 60_000, answerMs: 60_000 });
let url: string;
beforeAll(async () => {
  url = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0, 'port')}`;
});
afterAll(() => {
  endConnections(server);
  server.close();
});

/** Sends a request whose answer nobody makes, and waits for its head. */
async function send(...pieces: (string | Buffer)[]): Promise<{ client: RawConnection; request: IncomingMessage }> {
  const client = await openRaw(url);
  const arrived = once(server, 'request') as Promise<[IncomingMessage]>;
  client.write(Buffer.concat([HEAD, ...pieces].map((piece) => Buffer.from(piece))));
  const [request] = await arrived;
  return { client, request };
}

/** Waits until the service reads no more of a connection. */
async function readAsFarAsItIs({ socket }: IncomingMessage): Promise<number> {
  for (let before = -1, same = 0; same < 200; same = socket.bytesRead === before ? same + 1 : 0) {
    before = socket.bytesRead;
    await turn();
  }
  return socket.bytesRead;
}

describe('the body of a request that is not read', () => {
  test.each([1, 2, 16, 100, 1023])('chunks of %i bytes: little is read of it, and kept in few pieces', async (size) => {
    const bytes = numbered(Math.min(4 << 20, size << 18));
    const { request } = await send(chunked(bytes, [size]), END);
    const read = await readAsFarAsItIs(request);
    expect(read).toBeLessThan(256 << 10);
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    expect(pieces.length).toBeLessThan(4096);
  });

  test('chunks of which each second one is small: they are kept in no more room than they need', async () => {
    const bytes = numbered(1 << 20);
    const { request } = await send(chunked(bytes, [513, 512, 1024]), END);
    await readAsFarAsItIs(request);
    const rooms = new Set<ArrayBufferLike>();
    request.on('data', (piece: Buffer) => rooms.add(piece.buffer));
    await once(request, 'end');
    const room = [...rooms].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(room).toBeLessThan(2 * bytes.length);
  });

  test('a chunk of one byte in each packet: few of them are read', async () => {
    const { client, request } = await send();
    const PACKETS = 5000;
    for (let count = 0; count < PACKETS; count++) {
      const before = request.socket.bytesRead;
      client.write(chunked(Buffer.from([count % 251]), [1]));
      for (let turns = 0; turns < 20 && request.socket.bytesRead === before; turns++) await turn();
    }
    const read = await readAsFarAsItIs(request);
    expect(read).toBeLessThan(12 << 10);
    client.write(END);
    expect((await buffer(request)).length).toBe(PACKETS);
  });
});

describe('a body that is read arrives as it was sent', () => {
  const readers: Readonly<Record<string, (request: IncomingMessage) => Promise<Buffer>>> = {
    'by an iterator': buffer,
    'by events': async (request) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      await once(request, 'end');
      return Buffer.concat(pieces);
    },
    'by events, with a pause after each': async (request) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => {
        pieces.push(piece);
        request.pause();
        setImmediate(() => request.resume());
      });
      await once(request, 'end');
      return Buffer.concat(pieces);
    },
    'by reads of a few bytes': async (request) => {
      const pieces: Buffer[] = [];
      request.on('readable', () => {
        for (let piece = request.read(7) as Buffer | null; piece !== null; piece = request.read(7) as Buffer | null)
          pieces.push(piece);
      });
      await once(request, 'end');
      return Buffer.concat(pieces);
    },
  };

  test.each(Object.entries(readers))('%s', async (_name, read) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 100_000 }),
        fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 900, max: 20_000 })), {
          minLength: 1,
          maxLength: 20,
        }),
        fc.array(fc.integer({ min: 1, max: 50_000 }), { maxLength: 4 }),
        async (length, sizes, cuts) => {
          const bytes = numbered(length);
          const body = Buffer.concat([chunked(bytes, sizes), Buffer.from(END)]);
          const [first = body.length, ...later] = cuts;
          const { client, request } = await send(body.subarray(0, first));
          const received = read(request);
          let at = first;
          for (const cut of [...later, body.length]) {
            await turn();
            client.write(body.subarray(at, Math.max(at, cut)));
            at = Math.max(at, cut);
          }
          expect((await received).equals(bytes)).toBe(true);
          client.socket.destroy();
        },
      ),
      { numRuns: 25 },
    );
  });

  /** Readers that wait for more than has arrived, or take less. */
  test.each<[string, (request: IncomingMessage, take: (piece: Buffer) => void) => void]>([
    [
      'reads of seven bytes',
      (request, take) => {
        for (let piece = request.read(7) as Buffer | null; piece !== null; piece = request.read(7) as Buffer | null)
          take(piece);
      },
    ],
    [
      'one read for each event',
      (request, take) => {
        const piece = request.read(5) as Buffer | null;
        if (piece !== null) take(piece);
      },
    ],
    [
      'a read of all once there are seven bytes',
      (request, take) => {
        if (request.readableLength >= 7) take(request.read() as Buffer);
      },
    ],
  ])('five bytes in each of many packets, by %s: nothing waits for the end', async (_name, onReadable) => {
    const { client, request } = await send();
    let received = 0;
    request.on('readable', () => {
      onReadable(request, (piece) => (received += piece.length));
    });
    for (let count = 0; count < 2000; count++) {
      const before = request.socket.bytesRead;
      client.write(chunked(numbered(5), [5]));
      for (let turns = 0; turns < 50 && request.socket.bytesRead === before; turns++) await turn();
    }
    expect(request.socket.bytesRead).toBeGreaterThan(20_000);
    expect(received).toBeGreaterThan(9000);
  });

  test('a client that leaves in the middle: its reader gets an error, also for what was joined', async () => {
    const { client, request } = await send(chunked(numbered(50), [1]));
    client.socket.destroy();
    await expect(buffer(request)).rejects.toThrow('aborted');
  });
});
