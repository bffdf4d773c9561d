import { keccak256 } from 'viem';

import { inTime } from '../../support/service/in-time';
import { hex, liveNode, type LiveNode } from '../../support/service/live-node';
import { startService, type TestService } from '../../support/service/service';
import { openSocket } from '../../support/service/socket';

const CHECK_MS = 60_000;
const BREAK_MS = 10_000;

/** `Date` and the timer of the checks follow `jest.advanceTimersByTime`; everything else runs as ever. */
beforeEach(() => {
  jest.useFakeTimers({
    doNotFake: [
      ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
      ...(['setTimeout', 'clearTimeout'] as const),
    ],
  });
});

afterEach(() => {
  jest.useRealTimers();
});

type Options = { timeoutMs?: number; answerBytes?: number; methods?: string[] };

const serviceWith = (nodes: readonly LiveNode[], options: Options = {}, rpc = {}): Promise<TestService> =>
  startService({
    rpc,
    networks: [
      {
        name: 'mainnet',
        chainId: 1,
        upstream: nodes.map(({ url }) => ({ url: `${url}/secret-key`, ...options })),
        failover: { checkMs: CHECK_MS, breakMs: BREAK_MS, failures: 3, lagBlocks: 5 },
      },
    ],
  });

/** The state of each node, as operators ask for it. */
async function statesOf({ operations }: TestService): Promise<string[]> {
  const { nodes } = (await (await fetch(`${operations}/readyz`)).json()) as { nodes: { mainnet: string[] } };
  return nodes.mainnet;
}

/** Asks until the states are these: the service hears of them over the network. */
async function untilStates(service: TestService, ...expected: string[]): Promise<void> {
  while ((await statesOf(service)).join() !== expected.join());
}

const checkAll = () => jest.advanceTimersByTime(CHECK_MS);
const gasPrice = (service: TestService) => service.call('eth_gasPrice');
const from = ({ name }: LiveNode) => ({ jsonrpc: '2.0', id: 1, result: `${name} eth_gasPrice` });

async function twoNodes(options: Options = {}) {
  const [first, second] = [await liveNode('first'), await liveNode('second')];
  const service = await serviceWith([first, second], options);
  while ((await statesOf(service)).join() !== 'up,up') checkAll();
  return { first, second, service };
}

test('the first node answers, the second takes over when it is gone, and gives way when it is back', async () => {
  const { first, second, service } = await twoNodes();
  expect(await gasPrice(service)).toEqual(from(first));
  expect(second.asked).toEqual([]);
  await first.stop();
  for (let i = 0; i < 5; i++) expect(await gasPrice(service)).toEqual(from(second));
  await untilStates(service, 'down', 'up');
  await first.start();
  checkAll();
  await untilStates(service, 'up', 'up');
  expect(await gasPrice(service)).toEqual(from(first));
  // Each answer is paid for once, whoever gave it.
  expect(await service.used()).toBe(7 * 80);
});

test('a node that dies in the middle of traffic costs no client an answer', async () => {
  const { first, service } = await twoNodes();
  const ask = async () => Promise.all(Array.from({ length: 20 }, () => gasPrice(service)));
  const before = ask();
  await first.stop();
  const answers = [...(await before), ...(await ask())];
  expect(answers.filter(({ error }) => error !== undefined)).toEqual([]);
});

describe('the next node is asked after', () => {
  test.each([
    ['a connection that breaks', (socket: { destroy: () => unknown }) => socket.destroy()],
    ['HTTP status 500', (response: LiveResponse) => response.writeHead(500).end()],
    ['HTTP status 429', (response: LiveResponse) => response.writeHead(429).end()],
    ['HTTP status 401, whatever it says', (response: LiveResponse) => response.writeHead(401).end(errorText(-32000))],
    [
      'HTTP status 429 with a JSON-RPC error',
      (response: LiveResponse) => response.writeHead(429).end(errorText(-32005)),
    ],
    ['something that is not JSON', (response: LiveResponse) => response.end('<html>')],
    ['something that is not JSON-RPC', (response: LiveResponse) => response.end('{}')],
  ])('%s', async (_, fail) => {
    const { first, second, service } = await twoNodes();
    first.answer = (__, response) => void fail(response as LiveResponse);
    expect(await gasPrice(service)).toEqual(from(second));
    expect(first.asked[0]).toBe('eth_gasPrice');
  });
});

test('the next node is asked after no answer in time', async () => {
  const { first, second, service } = await twoNodes({ timeoutMs: 500 });
  first.answer = () => undefined;
  await inTime(async () => {
    expect(await gasPrice(service)).toEqual(from(second));
  });
  expect(first.asked).toContain('eth_gasPrice');
});

type LiveResponse = Parameters<LiveNode['answer']>[1] & object;

const errorText = (code: number) => JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'own' } });

test.each([200, 400, 500])("a node's own error with HTTP status %i is an answer", async (status) => {
  const { first, second, service } = await twoNodes();
  first.answer = (_, response) => void response?.writeHead(status).end(errorText(-32000));
  expect(await gasPrice(service)).toMatchObject({ error: { code: -32000, message: 'own' } });
  expect(second.asked).toEqual([]);
});

test("a request's own time limit ends it everywhere, and does not speak against a node", async () => {
  const [first, second] = [await liveNode('first'), await liveNode('second')];
  const service = await serviceWith([first, second], {}, { limits: { answerMs: 200 } });
  while ((await statesOf(service)).join() !== 'up,up') checkAll();
  first.answer = () => undefined;
  for (let count = 0; count < 4; count++) {
    const { error } = await gasPrice(service);
    expect(error).toMatchObject({ message: "the network's node took too long to answer" });
  }
  expect(second.asked).toEqual([]);
  expect(await statesOf(service)).toEqual(['up', 'up']);
  // Its circuit would be open after three failures.
  first.answer = () => 'again';
  await inTime(async () => {
    expect(await gasPrice(service)).toMatchObject({ result: 'again' });
  });
});

test("a request's own time limit ends a node's first check and a subscription, too", async () => {
  const silent = await liveNode('silent');
  silent.isSilent = true;
  const service = await startService({
    rpc: { limits: { answerMs: 200 } },
    networks: [{ name: 'mainnet', chainId: 1, upstream: { url: silent.url, wsUrl: silent.wsUrl, timeoutMs: 600_000 } }],
  });
  const late = { error: { message: expect.stringContaining('took too long') as string } };
  expect(await gasPrice(service)).toMatchObject(late);
  const { ask } = await openSocket(service.wsUrl);
  expect(await ask({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })).toMatchObject(late);
  // A stop ends the connection that is still being made.
  await service.stop();
});

test('an answer that is too large is not asked for again, and does not speak against the node', async () => {
  const { first, second, service } = await twoNodes({ answerBytes: 1000 });
  first.answer = () => 'x'.repeat(2000);
  for (let i = 0; i < 5; i++)
    expect(await gasPrice(service)).toMatchObject({
      error: { message: "the network's node sent a response that is too large" },
    });
  expect(second.asked).toEqual([]);
  expect(await statesOf(service)).toEqual(['up', 'up']);
});

test('if all nodes fail, the client gets the error of one node, for free', async () => {
  const { first, second, service } = await twoNodes();
  await first.stop();
  await second.stop();
  const { status, body } = await service.post({ jsonrpc: '2.0', id: 1, method: 'eth_gasPrice' });
  const unreachable = { code: -32603, message: "the network's node cannot be reached" };
  expect({ status, body }).toEqual({ status: 502, body: { jsonrpc: '2.0', id: 1, error: unreachable } });
  expect(await service.used()).toBe(0);
  expect(service.logged()).not.toContain('secret-key');
});

test('if all nodes are limited, the client gets the error that one sent', async () => {
  const { first, second, service } = await twoNodes();
  for (const node of [first, second])
    node.answer = (_, response) => void response?.writeHead(429).end(errorText(-32005));
  expect(await gasPrice(service)).toMatchObject({ error: { code: -32005, message: 'own' } });
});

describe('a node on another chain', () => {
  test('is never used, not even as the last one', async () => {
    const [wrong, right] = [await liveNode('wrong'), await liveNode('right')];
    wrong.chainId = 5;
    const service = await serviceWith([wrong, right]);
    await untilStates(service, 'wrong chain', 'up');
    expect(await gasPrice(service)).toEqual(from(right));
    await right.stop();
    expect(await gasPrice(service)).toMatchObject({ error: { code: -32603 } });
    expect(wrong.asked).toEqual([]);
    wrong.chainId = 1;
    checkAll();
    await untilStates(service, 'up', 'down');
    expect(await gasPrice(service)).toEqual(from(wrong));
  });

  test('is refused as the only node, also by the first request', async () => {
    const wrong = await liveNode('wrong');
    wrong.chainId = 5;
    const service = await serviceWith([wrong]);
    const refused = { error: { code: -32603, message: "the network's node serves another chain" } };
    expect(await gasPrice(service)).toMatchObject(refused);
    expect(await gasPrice(service)).toMatchObject(refused);
    expect(wrong.asked).toEqual([]);
    expect(await service.used()).toBe(0);
  });

  test('is found when it returns after it was away', async () => {
    const { first, second, service } = await twoNodes();
    await first.stop();
    await gasPrice(service);
    await untilStates(service, 'down', 'up');
    await second.stop();
    first.chainId = 5;
    await first.start();
    expect(await gasPrice(service)).toMatchObject({ error: { code: -32603 } });
    expect(first.asked).toEqual([]);
    expect(await statesOf(service)).toContain('wrong chain');
  });
});

test('a node that lags is passed over until it has caught up, and used if no other answers', async () => {
  const { first, second, service } = await twoNodes();
  second.head = 105;
  checkAll();
  await untilHead(service, second, 105);
  expect(await gasPrice(service)).toEqual(from(first));
  second.head = 106;
  checkAll();
  await untilStates(service, 'lagging', 'up');
  expect(await gasPrice(service)).toEqual(from(second));
  second.answer = (_, response) => void response?.writeHead(500).end();
  expect(await gasPrice(service)).toEqual(from(first));
  first.head = 106;
  checkAll();
  await untilStates(service, 'up', 'up');
});

async function untilHead(service: TestService, { host }: LiveNode, head: number): Promise<void> {
  const line = `keystead_rpc_node_head_block{network="mainnet",node="${host}"} ${head}`;
  while (!(await (await fetch(`${service.operations}/metrics`)).text()).includes(line));
}

describe('the circuit breaker', () => {
  const failing: LiveNode['answer'] = (_, response) => void response?.writeHead(500).end();

  test('opens after failures in a row, lets one request try again after a while, and closes', async () => {
    const { first, second, service } = await twoNodes();
    const sound = first.answer;
    first.answer = failing;
    for (let i = 0; i < 6; i++) expect(await gasPrice(service)).toEqual(from(second));
    expect(first.asked).toHaveLength(3);
    expect(await statesOf(service)).toEqual(['circuit open', 'up']);
    jest.advanceTimersByTime(BREAK_MS - 1);
    await gasPrice(service);
    expect(first.asked).toHaveLength(3);
    // The try fails, and the wait begins anew.
    jest.advanceTimersByTime(1);
    for (let i = 0; i < 3; i++) expect(await gasPrice(service)).toEqual(from(second));
    expect(first.asked).toHaveLength(4);
    first.answer = sound;
    await gasPrice(service);
    expect(first.asked).toHaveLength(4);
    jest.advanceTimersByTime(BREAK_MS);
    expect(await gasPrice(service)).toEqual(from(first));
    expect(await statesOf(service)).toEqual(['up', 'up']);
  });

  test('opens again if the try is not answered in the time of its request', async () => {
    const [first, second] = [await liveNode('first'), await liveNode('second')];
    const service = await serviceWith([first, second], {}, { limits: { answerMs: 1500 } });
    await untilStates(service, 'up', 'up');
    first.answer = failing;
    for (let i = 0; i < 3; i++) expect(await gasPrice(service)).toEqual(from(second));
    expect(await statesOf(service)).toEqual(['circuit open', 'up']);
    first.answer = () => undefined;
    jest.advanceTimersByTime(BREAK_MS);
    await inTime(async () => {
      expect(await gasPrice(service)).toMatchObject({
        error: { message: expect.stringContaining('too long') as string },
      });
    });
    expect(first.asked).toHaveLength(4);
    expect(await statesOf(service)).toEqual(['circuit open', 'up']);
    expect(await gasPrice(service)).toEqual(from(second));
    expect(first.asked).toHaveLength(4);
  });

  test('stays closed for a node that answers in between', async () => {
    const { first, second, service } = await twoNodes();
    const sound = first.answer;
    for (let i = 0; i < 5; i++) {
      first.answer = failing;
      for (let twice = 0; twice < 2; twice++) expect(await gasPrice(service)).toEqual(from(second));
      first.answer = sound;
      expect(await gasPrice(service)).toEqual(from(first));
    }
    expect(await statesOf(service)).toEqual(['up', 'up']);
  });

  test("a node's own errors do not open it", async () => {
    const { first, service } = await twoNodes();
    first.answer = () => {
      throw { code: 3, message: 'execution reverted' } as unknown as Error;
    };
    for (let i = 0; i < 5; i++) expect(await gasPrice(service)).toMatchObject({ error: { code: 3 } });
    expect(first.asked).toHaveLength(5);
  });

  test('never refuses a request that nobody else answers', async () => {
    const only = await liveNode('only');
    const service = await serviceWith([only]);
    const sound = only.answer;
    only.answer = failing;
    for (let i = 0; i < 5; i++)
      expect(await gasPrice(service)).toMatchObject({
        error: { message: "the network's node answered with HTTP status 500" },
      });
    expect(await statesOf(service)).toEqual(['circuit open']);
    only.answer = sound;
    expect(await gasPrice(service)).toEqual(from(only));
  });
});

describe('eth_sendRawTransaction', () => {
  const RAW = '0x02f86b0180843b9aca00843b9aca0082520894000000000000000000000000000000000000dead8080c001a0aaaa80';
  const HASH = keccak256(RAW);
  const send = (service: TestService, raw: string = RAW) => service.call('eth_sendRawTransaction', raw);
  /** Takes the transaction, and is gone before it answers. */
  const dies: LiveNode['answer'] = (_, response) => void response?.destroy();
  const refuses =
    (message: string, known: unknown): LiveNode['answer'] =>
    ({ method }) => {
      if (method === 'eth_getTransactionByHash') return known;
      throw { code: -32000, message } as unknown as Error;
    };

  test('is sent to the next node if the first may have taken it', async () => {
    const { first, second, service } = await twoNodes();
    first.answer = dies;
    second.answer = () => HASH;
    expect(await send(service)).toMatchObject({ result: HASH });
    expect(await service.used()).toBe(80);
  });

  test.each(['already known', 'AlreadyKnown', 'Known transaction', 'transaction already imported'])(
    'has succeeded if the next node says %j',
    async (message) => {
      const { first, second, service } = await twoNodes();
      first.answer = dies;
      second.answer = refuses(message, null);
      expect(await send(service)).toMatchObject({ result: HASH });
      expect(second.asked).toEqual(['eth_sendRawTransaction']);
    },
  );

  test('has succeeded if the next node refuses it because a block has it', async () => {
    const { first, second, service } = await twoNodes();
    first.answer = dies;
    second.answer = refuses('nonce too low', { hash: HASH });
    expect(await send(service)).toMatchObject({ result: HASH });
  });

  test('is refused as the next node refuses it, if that does not know it', async () => {
    const { first, second, service } = await twoNodes();
    first.answer = dies;
    second.answer = refuses('nonce too low', null);
    expect(await send(service)).toMatchObject({ error: { code: -32000, message: 'nonce too low' } });
  });

  test('is refused as the node refuses it, if no other can have taken it', async () => {
    const { first, second, service } = await twoNodes();
    await first.stop();
    second.answer = refuses('already known', { hash: HASH });
    expect(await send(service)).toMatchObject({ error: { code: -32000, message: 'already known' } });
    expect(second.asked).toEqual(['eth_sendRawTransaction']);
  });

  test('with blobs has the hash of the transaction without them', async () => {
    const { first, second, service } = await twoNodes();
    first.answer = dies;
    second.answer = refuses('already known', null);
    // rlp([[1, 2], "blobs", …]): the hash is that of 0x03 and the inner list.
    expect(await send(service, '0x03cac20102c0c084aabbccdd')).toMatchObject({
      result: keccak256('0x03c20102'),
    });
  });
});

test('a method of which nothing is known is not sent twice, unless the first node cannot have had it', async () => {
  const { first, second, service } = await twoNodes({ methods: ['anvil_mine'] });
  first.answer = (_, response) => void response?.destroy();
  expect(await service.call('anvil_mine')).toMatchObject({
    error: { message: "the network's node cannot be reached" },
  });
  expect(second.asked).toEqual([]);
  await first.stop();
  expect(await service.call('anvil_mine')).toMatchObject({ result: 'second anvil_mine' });
});

test("a node's own list says what it is asked, and the others get the built-in methods", async () => {
  const [plain, tracing] = [await liveNode('plain'), await liveNode('tracing')];
  const upstream = [plain.url, { url: tracing.url, methods: ['debug_traceCall'] }];
  const service = await startService({ networks: [{ name: 'mainnet', chainId: 1, upstream }] });
  expect(await service.call('debug_traceCall')).toMatchObject({ result: 'tracing debug_traceCall' });
  expect(await gasPrice(service)).toEqual(from(plain));
  await plain.stop();
  expect(await gasPrice(service)).toMatchObject({ error: { code: -32603 } });
  expect(tracing.asked).toEqual(['debug_traceCall']);
});

describe('metrics', () => {
  test('name each node by its host alone', async () => {
    const { first, second, service } = await twoNodes();
    await gasPrice(service);
    await first.stop();
    await gasPrice(service);
    await untilStates(service, 'down', 'up');
    const metrics = await service.metrics();
    expect(metrics).not.toContain('secret-key');
    expect(metrics).not.toContain(`node_head_block{network="mainnet",node="${first.host}"}`);
    const network = 'network="mainnet"';
    for (const line of [
      `node_up{${network},node="${first.host}"} 0`,
      `node_up{${network},node="${second.host}"} 1`,
      `node_circuit{${network},node="${second.host}"} 0`,
      `node_head_block{${network},node="${second.host}"} ${Number(hex(second.head))}`,
      `upstream_seconds_count{${network},target="upstream",host="${first.host}",outcome="ok"} 1`,
      `upstream_seconds_count{${network},target="upstream",host="${second.host}",outcome="ok"} 1`,
    ])
      expect(metrics).toContain(`keystead_rpc_${line}\n`);
  });

  test('tell two nodes of one host apart', async () => {
    const node = await liveNode('node');
    const upstream = [`${node.url}/a`, `${node.url}/b`];
    const service = await startService({ networks: [{ name: 'mainnet', chainId: 1, upstream }] });
    await untilStates(service, 'up', 'up');
    expect(await service.metrics()).toContain(`node="${node.host} (2)"} 1`);
  });
});

test('a node that is down does not make the service unready, and the answer names no address', async () => {
  const { first, second, service } = await twoNodes();
  await first.stop();
  await second.stop();
  await gasPrice(service);
  await untilStates(service, 'down', 'down');
  const ready = await fetch(`${service.operations}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok', nodes: { mainnet: ['down', 'down'] } }]);
});
