import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { IncomingBody } from '../../../src/service/chain/body';
import { KeyLimits } from '../../../src/service/chain/key-limits';

const MIB = 1 << 20;
const CONFIG = {
  keyPerSecond: 1e6,
  keyBurst: 1e6,
  keyRequests: 10,
  keySockets: 1,
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

/** Sends a chunked body whose pieces have the given texts, and returns it as the server receives it. */
async function receive(pieces: Iterable<string>, config: Partial<typeof CONFIG> = {}) {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  const use = new KeyLimits({ ...CONFIG, ...config }).of('a');
  const body = new IncomingBody(request, use, 5 * MIB, SCAN);
  const text = [...pieces].map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('');
  socket.write(`${text}0\r\n\r\n`);
  return { body, use };
}

function* onePerByte(length: number): Generator<string> {
  yield START;
  for (let at = 0; at < length; at++) yield 'x';
  yield '"]}';
}

/** Bytes of buffers after a garbage collection. */
function bufferBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}

test('the smallest pieces become one body, which takes no more memory than twice its length', async () => {
  const { body, use } = await receive(onePerByte(200_000));
  const bytes = await body.read();
  expect(bytes.toString()).toBe(`${START}${'x'.repeat(200_000)}"]}`);
  expect(body.lengths).toEqual([bytes.length]);
  expect(bytes.buffer.byteLength).toBeLessThanOrEqual(2 * bytes.length);
  // What is left of the key's bytes shows how much the body holds: all of its memory, not only its length.
  use.hold(CONFIG.keyBytes - bytes.buffer.byteLength);
  expect(() => {
    use.hold(1);
  }).toThrow('bytes of large requests');
});

test('a body that exceeds the bytes of its key is refused, and gives back what it held', async () => {
  const { body, use } = await receive(onePerByte(300_000), { keyBytes: 200_000 });
  await expect(body.read()).rejects.toMatchObject({ status: 429 });
  body.release();
  use.hold(200_000);
});

test('a refused body keeps no memory', async () => {
  const before = bufferBytes();
  const refused: IncomingBody[] = [];
  for (let count = 0; count < 4; count++) {
    const { body } = await receive([START, 'x'.repeat(4 * MIB), `"${'['.repeat(99)}`]);
    await expect(body.read()).rejects.toMatchObject({ status: 413 });
    body.release();
    refused.push(body);
  }
  expect(bufferBytes() - before).toBeLessThan(4 * MIB);
  expect(refused).toHaveLength(4);
});
