import { once } from 'node:events';
import { createServer, type IncomingMessage, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { GivenUpError } from '../../../../src/service/storage/errors';
import { BodyPieces } from '../../../../src/service/storage/http/body-pieces';

let server: Server;
beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends a body, each piece in a chunk of its own. */
async function post(
  pieces: readonly Buffer[],
  isWhole = false,
): Promise<{ request: IncomingMessage; leave: () => void }> {
  const { port } = server.address() as AddressInfo;
  const client = send({ port, host: '127.0.0.1', method: 'POST' });
  client.on('error', () => undefined);
  const arrived = once(server, 'request');
  for (const piece of pieces) client.write(piece);
  if (isWhole) client.end();
  const [request] = (await arrived) as [IncomingMessage];
  return { request, leave: () => client.destroy() };
}

async function readAll(pieces: BodyPieces): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

test('pieces of one byte are joined before they are read', async () => {
  const bytes = Buffer.from(Array.from({ length: 40_000 }, (_, i) => i % 251));
  const { request, leave } = await post(
    [...bytes].map((byte) => Buffer.of(byte)),
    true,
  );
  const pieces = new BodyPieces(request);
  await once(request, 'end');
  const all = await readAll(pieces);
  expect(Buffer.concat(all)).toEqual(bytes);
  expect(all.length).toBeLessThanOrEqual(4);
  leave();
});

test('short and long pieces stay in order, and no more is read than a reader takes', async () => {
  const pieces = Array.from({ length: 200 }, (_, i) => Buffer.alloc(i % 3 === 0 ? 60_000 : i, i));
  const { request, leave } = await post(pieces);
  const body = new BodyPieces(request);
  let length = 0;
  request.on('data', (piece: Buffer) => (length += piece.length));
  const { value: first } = await body.next();
  // What one read of the socket holds may come on top.
  expect(length - (first?.length ?? 0)).toBeLessThan(2 * 64 * 1024 + 60_000);
  const all = [first as Uint8Array];
  const whole = Buffer.concat(pieces);
  for (let read = all[0]!.length; read < whole.length; read += all.at(-1)!.length)
    all.push((await body.next()).value as Uint8Array);
  expect(Buffer.concat(all).equals(whole)).toBe(true);
  leave();
});

test('the rest of a body that nobody needs is dropped, also a long one', async () => {
  const { request, leave } = await post([Buffer.from('abc'), Buffer.alloc(1_000_000)], true);
  const body = new BodyPieces(request);
  await body.next();
  const ended = once(request, 'end');
  await body.return();
  await ended;
  leave();
});

test.each([
  ['before the body is read', false],
  ['while it is read', true],
])('a client that leaves %s is an error', async (_when, isReading) => {
  const { request, leave } = await post([Buffer.from('abc')]);
  if (!isReading) {
    leave();
    await new Promise((resolve) => request.once('close', resolve).once('error', () => undefined));
  }
  const body = new BodyPieces(request);
  const read = readAll(body);
  if (isReading) leave();
  await expect(read).rejects.toThrow(GivenUpError);
});
