import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

import { IncomingBody } from '../../../src/service/chain/body';
import { Admission } from '../../../src/service/admission/admission';
import { refusalOf, sharesOfKeys } from '../../../src/service/chain/shares';
import { collectGarbage } from '../../support/collect-garbage';

const MIB = 1 << 20;
const CONFIG = {
  keyPerSecond: 1e6,
  keyBurst: 1e6,
  keyRequests: 10,
  keySockets: 1,
  keyAnswerBytes: 1,
  allAnswerBytes: 1,
  keyBytes: 64 * MIB,
  allBytes: 64 * MIB,
};
const SCAN = { batchItems: 100, mayBeLong: (method: string) => method === 'eth_call' };
const START = '{"method":"eth_call","params":["';

let server: Server;
beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A request with a chunked body, as the server receives it; nothing of the body has been sent. */
async function open(config: Partial<typeof CONFIG> = {}) {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  const admission = new Admission(sharesOfKeys({ ...CONFIG, ...config }), refusalOf);
  const use = admission.client('a').enter();
  return { socket, request, use, body: new IncomingBody(request, use, 5 * MIB, SCAN) };
}

/** A request with a chunked body whose pieces have the given texts. */
async function receive(pieces: Iterable<string>, config: Partial<typeof CONFIG> = {}) {
  const { socket, use, body } = await open(config);
  const text = [...pieces].map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('');
  socket.write(`${text}0\r\n\r\n`);
  return { body, use };
}

function* onePerByte(length: number): Generator<string> {
  yield START;
  for (let at = 0; at < length; at++) yield 'x';
  yield '"]}';
}

/** Bytes of objects and of buffers, after a garbage collection. */
async function memory(): Promise<{ heapUsed: number; arrayBuffers: number }> {
  await collectGarbage();
  return process.memoryUsage();
}

test('the smallest pieces become one body, which takes no more memory than twice its length', async () => {
  const { body, use } = await receive(onePerByte(200_000));
  const bytes = await body.read();
  expect(bytes.toString()).toBe(`${START}${'x'.repeat(200_000)}"]}`);
  expect(body.lengths).toEqual([bytes.length]);
  expect(bytes.buffer.byteLength).toBeLessThanOrEqual(2 * bytes.length);
  // What is left of the key's bytes shows how much the body holds: all of its memory, not only its length.
  use.client.memory.charge(CONFIG.keyBytes - bytes.buffer.byteLength);
  expect(() => {
    use.client.memory.charge(1);
  }).toThrow('bytes of large requests');
});

test('the smallest pieces take no memory of their own', async () => {
  const { socket, body, request } = await open();
  const read = body.read();
  let received = 0;
  request.on('data', ({ length }: Buffer) => (received += length));
  const receiveUpTo = async (length: number): Promise<void> => {
    while (received < length) await new Promise(setImmediate);
  };
  socket.write(`${START.length.toString(16)}\r\n${START}\r\n`);
  await receiveUpTo(START.length);
  const before = (await memory()).heapUsed;
  const text = '1\r\nx\r\n'.repeat(1000);
  for (let sent = 0; sent < 300_000; sent += 1000) {
    socket.write(text);
    await receiveUpTo(START.length + sent + 1000);
  }
  expect((await memory()).heapUsed - before).toBeLessThan(16 * MIB);
  socket.destroy();
  await expect(read).rejects.toThrow();
});

test('a body that exceeds the bytes of its key is refused, and gives back what it held', async () => {
  const { body, use } = await receive(onePerByte(300_000), { keyBytes: 200_000 });
  await expect(body.read()).rejects.toMatchObject({ status: 429 });
  body.release();
  use.client.memory.charge(200_000);
});

test('a refused body keeps no memory', async () => {
  const before = (await memory()).arrayBuffers;
  const refused: IncomingBody[] = [];
  for (let count = 0; count < 4; count++) {
    const { body } = await receive([START, 'x'.repeat(4 * MIB), `",${'['.repeat(99)}`]);
    await expect(body.read()).rejects.toMatchObject({ status: 413 });
    body.release();
    refused.push(body);
  }
  expect((await memory()).arrayBuffers - before).toBeLessThan(4 * MIB);
  expect(refused).toHaveLength(4);
});
