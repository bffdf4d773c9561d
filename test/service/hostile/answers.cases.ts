import { once } from 'node:events';
import { gzipSync } from 'node:zlib';

import { longResult, resultOf, startNode, TAKEN } from '../../support/service/node';
import { openClient } from '../../support/service/offers';
import { startService, type TestService } from '../../support/service/service';

const MIB = 1 << 20;
/** More than all buffers on the way to a client hold. */
const LARGE = 12 * MIB;
/** An answer whose end is found at once, because it begins with what comes nowhere before. */
const long = (bytes: number) => `${'-'.repeat(bytes)}x`;
const END = 'x"}';
const GET_LOGS = '{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[]}';

const request = (key: string, body = GET_LOGS) =>
  [
    `POST /v3/${key} HTTP/1.1`,
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');

const open = ({ url }: TestService) => openClient(Number(new URL(url).port));

/** A service whose node sends large answers, with little room for them. */
async function started(limits: object, bytes = LARGE): Promise<{ service: TestService; asked: () => number }> {
  const answer = longResult(long(bytes));
  let asked = 0;
  const node = await startNode(({ id }, response) => {
    asked += 1;
    return answer(id, response);
  });
  const service = await startService({
    rpc: { limits: { answerMs: 600_000, requestMs: 600_000, ...limits } },
    networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url, timeoutMs: 600_000 } }],
  });
  return { service, asked: () => asked };
}

test('an answer that is not read leaves no room for further ones of its key; others have theirs', async () => {
  const { service } = await started({ keyAnswerBytes: 1 << 20 });
  const { key: other } = await service.keys.create();
  const [unread, next, another] = await Promise.all([1, 2, 3].map(() => open(service)));
  unread!.socket.write(request(service.key.key));
  await unread!.until('HTTP/1.1 200 ');
  unread!.socket.pause();
  next!.socket.write(request(service.key.key));
  another!.socket.write(request(other));
  await another!.until(END);
  expect(await service.call('eth_chainId')).toMatchObject({ result: '0x1' });
  expect(next!.received()).toBe('');
  unread!.socket.destroy();
  await next!.until(END);
});

test('of many answers that nobody reads, one is made; as many as a batch has wait, and the others are refused', async () => {
  const { service } = await started({ keyAnswerBytes: 1 << 20 });
  const clients = await Promise.all(Array.from({ length: 20 }, () => open(service)));
  const said = (text: string) => clients.filter(({ received }) => received().startsWith(text));
  for (const { socket } of clients)
    socket.once('data', () => {
      // It reads the beginning, and then nothing.
      socket.pause();
    });
  for (const { socket } of clients) socket.write(request(service.key.key));
  while (said('HTTP/1.1 503 ').length < 3 || said('HTTP/1.1 200 ').length < 1) await new Promise(setImmediate);
  expect(await service.call('eth_chainId')).toMatchObject({ result: '0x1' });
  const [refused] = said('HTTP/1.1 503 ');
  expect(refused!.received()).toMatch(/the answers of this key that are not read yet leave no room for this one/u);
  expect([said('HTTP/1.1 200 ').length, said('HTTP/1.1 503 ').length]).toEqual([1, 3]);
});

describe('once a client has left', () => {
  const connections = async ({ metrics }: TestService) =>
    Number(/^keystead_connections\{listener="rpc"\} (\d+)$/mu.exec(await metrics())?.[1]);
  const leave = async (service: TestService, { socket }: Awaited<ReturnType<typeof open>>) => {
    const before = await connections(service);
    socket.resetAndDestroy();
    while ((await connections(service)) >= before) await new Promise(setImmediate);
  };

  test('the node is not read to the end for it, and what it did is paid for', async () => {
    let sent = 0;
    let begun: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (begun = resolve));
    let left = false;
    let closed: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (closed = resolve));
    const node = await startNode(({ id }, response) => {
      response.once('close', closed);
      const write = () => {
        if (response.destroyed) return;
        if (left) {
          response.write('x'.repeat(1024));
          sent += 1024;
        }
        setImmediate(write);
      };
      response.write(`{"jsonrpc":"2.0","id":${String(id)},"result":"${'x'.repeat(100_000)}`);
      begun();
      write();
      return TAKEN;
    });
    const service = await startService({
      networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }],
    });
    const client = await open(service);
    client.socket.write(request(service.key.key));
    await asked;
    await leave(service, client);
    left = true;
    await ended;
    expect(sent).toBeLessThan(16 * MIB);
    while ((await service.used()) !== 80) await new Promise(setImmediate);
  });

  test('its batch goes no further', async () => {
    const answers: (() => void)[] = [];
    const node = await startNode(({ id }, response) => {
      answers.push(() => response.end(resultOf(id, 'x')));
      return TAKEN;
    });
    const service = await startService({
      networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }],
    });
    const client = await open(service);
    const batch = `[${Array.from({ length: 100 }, () => GET_LOGS).join(',')}]`;
    client.socket.write(request(service.key.key, batch));
    while (answers.length < 16) await new Promise(setImmediate);
    await leave(service, client);
    for (const answer of answers.splice(0)) answer();
    // The next request is answered after whatever the batch would have asked for.
    const last = service.call('eth_getLogs');
    while (answers.length < 1) await new Promise(setImmediate);
    answers[0]?.();
    expect(await last).toMatchObject({ result: 'x' });
    expect(node.calls).toHaveLength(17);
  });
});

test('a compressed answer of a node, which nobody asked for, is not unpacked', async () => {
  const packed = gzipSync(Buffer.alloc(64 * MIB, 'x'));
  const node = await startNode((_call, response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(packed);
    return TAKEN;
  });
  const service = await startService({ networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }] });
  const { status, body } = await service.post({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [] });
  expect([status, body]).toMatchObject([
    502,
    { error: { message: "the network's node sent a response that is not JSON" } },
  ]);
});

test('requests of a key count as in progress until their answers are read', async () => {
  const { service } = await started({ keyRequests: 1 });
  const unread = await open(service);
  unread.socket.write(request(service.key.key));
  await unread.until('HTTP/1.1 200 ');
  unread.socket.pause();
  const chainId = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
  expect((await service.post(chainId)).status).toBe(429);
  unread.socket.resume();
  await unread.until(END);
  let status = 429;
  while (status === 429) ({ status } = await service.post(chainId));
  expect(status).toBe(200);
});

test('a batch ends as soon as its answers are too long, and what was answered by then is free', async () => {
  const { service } = await started({}, 24 * MIB);
  const batch = Array.from({ length: 4 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_getLogs', params: [] }));
  const { body } = await service.post(batch);
  const answers = body as { result?: string; error?: { message: string } }[];
  expect(answers).toHaveLength(4);
  const results = answers.filter(({ result }) => result !== undefined);
  expect(results).toHaveLength(2);
  const whole = long(24 * MIB);
  for (const { error, result } of answers)
    if (result === undefined) expect(error?.message).toMatch(/^the responses of this batch exceed 64 MiB/u);
    else expect(result === whole).toBe(true);
  expect(await service.used()).toBe(results.length * 80);
}, 600_000);

test('a client that leaves while its answer waits for room takes none', async () => {
  const { service, asked } = await started({ keyAnswerBytes: 1 << 20 });
  const unread = await Promise.all([1, 2, 3, 4].map(() => open(service)));
  for (const { socket } of unread) socket.write(request(service.key.key));
  while (asked() < 4) await new Promise(setImmediate);
  for (const { socket } of unread) {
    const closed = once(socket, 'close');
    socket.resetAndDestroy();
    await closed;
  }
  const last = await open(service);
  last.socket.write(request(service.key.key));
  await last.until(END);
});
