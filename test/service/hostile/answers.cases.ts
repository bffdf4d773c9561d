import { once } from 'node:events';

import { resultOf, startNode, TAKEN } from '../../support/service/node';
import { openClient } from '../../support/service/offers';
import { startService, type TestService } from '../../support/service/service';

const MIB = 1 << 20;
/** More than all buffers on the way to a client hold. */
const LARGE = 12 * MIB;
const END = 'x"}';
const GET_LOGS = '{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[]}';

const request = (key: string) =>
  [
    `POST /v3/${key} HTTP/1.1`,
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${GET_LOGS.length}`,
    '',
    GET_LOGS,
  ].join('\r\n');

const open = ({ url }: TestService) => openClient(Number(new URL(url).port));

/** A service whose node sends large answers, with little room for them. */
async function started(limits: object, bytes = LARGE): Promise<{ service: TestService; asked: () => number }> {
  const large = 'x'.repeat(bytes);
  let asked = 0;
  const node = await startNode(({ id }, response) => {
    asked += 1;
    response.end(resultOf(id, large));
    return TAKEN;
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
  // Of the same key: the first of them is the oldest that grows, so it goes on; the other waits for it.
  next!.socket.write(request(service.key.key));
  await next!.until('HTTP/1.1 200 ');
  next!.socket.pause();
  another!.socket.write(request(other));
  await another!.until(END);
  expect(await service.call('eth_chainId')).toMatchObject({ result: '0x1' });
  unread!.socket.destroy();
  next!.socket.resume();
  await next!.until(END);
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
  // Not by a pattern: of a text as long as this, one overflows the stack.
  for (const { error, result } of answers)
    if (result === undefined) expect(error?.message).toMatch(/^the responses of this batch exceed 64 MiB/u);
    else expect(result.replaceAll('x', '')).toBe('');
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
