import { startNode, TAKEN } from '../../support/service/node';
import { startService } from '../../support/service/service';
import { openSocket } from '../../support/service/socket';

const INVALID = 5;
const REFUSED = { error: { code: -32602, message: 'params: nested more than 64 levels deep' } };

const METHODS = [
  'eth_call',
  'eth_getLogs',
  'eth_sendUserOperation',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationByHash',
];

const arrays = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** Parameters with `levels` levels of nesting, in JSON. */
const nested = (levels: number): [string, string][] => [
  ['arrays', arrays(levels)],
  ['objects', objects(levels)],
  ['objects in an array', `["0x0",${objects(levels - 1)}]`],
  ['an operation', `[{"sender":"0x0","callData":${arrays(levels - 2)}},"0x0000000071727de22e5e9d8baf0edac6f37da032"]`],
];

const request = (method: string, params: string) =>
  `{"jsonrpc":"2.0","id":"${method}","method":"${method}","params":${params}}`;

async function start() {
  const node = await startNode(() => '0x1');
  const service = await startService({
    networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url }, bundler: { url: node.url } }],
  });
  /** An answer and its price in credits. */
  const priceOf = async <Answer>(ask: () => Promise<Answer>) => {
    const before = await service.used();
    const answer = await ask();
    return { answer, price: (await service.used()) - before };
  };
  return { node, service, priceOf };
}

const levels = 65;

describe('parameters nested 65 levels deep, that would be forwarded', () => {
  test.each(nested(levels))('%s: are refused over HTTP at the price of an invalid request', async (_what, params) => {
    const { node, service, priceOf } = await start();
    for (const method of METHODS) {
      const { answer, price } = await priceOf(() => service.post(request(method, params)));
      expect(answer).toMatchObject({ status: 200, body: { id: method, ...REFUSED } });
      expect(price).toBe(INVALID);
    }
    expect(node.calls).toEqual([]);
  });

  test.each(nested(levels))('%s: in a batch, each individually', async (_what, params) => {
    const { node, service, priceOf } = await start();
    const sound = request('eth_blockNumber', '[]');
    const alone = await priceOf(() => service.post(sound));
    const batch = `[${[...METHODS.map((method) => request(method, params)), sound].join(',')}]`;
    const { answer, price } = await priceOf(() => service.post(batch));
    expect(answer.body).toEqual([
      ...METHODS.map((id) => ({ jsonrpc: '2.0', id, ...REFUSED })),
      { jsonrpc: '2.0', id: 'eth_blockNumber', result: '0x1' },
    ]);
    expect(price).toBe(METHODS.length * INVALID + alone.price);
    expect(node.calls.map(({ method }) => method)).toEqual(['eth_blockNumber', 'eth_blockNumber']);
  });

  test.each(nested(levels))('%s: over WebSocket, where a batch is rejected as a whole', async (_what, params) => {
    const { node, service, priceOf } = await start();
    const { ask } = await openSocket(service.wsUrl);
    for (const method of METHODS) {
      const { answer, price } = await priceOf(() => ask(request(method, params)));
      expect(answer).toEqual({ jsonrpc: '2.0', id: method, ...REFUSED });
      expect(price).toBe(INVALID);
    }
    const { answer, price } = await priceOf(() => ask(`[${request('eth_call', params)}]`));
    expect(answer).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining('batches') as string },
    });
    expect(price).toBe(INVALID);
    expect(await ask(request('eth_blockNumber', '[]'))).toMatchObject({ result: '0x1' });
    expect(node.calls.map(({ method }) => method)).toEqual(['eth_blockNumber']);
  });
});

describe('a text that would take long to parse', () => {
  const flat = `[${'0,'.repeat(100_000)}0]`;
  const texts: [string, string, RegExp][] = [
    ...nested(100_000).map(([what, params]): [string, string, RegExp] => [
      `${what}, 100,000 levels deep`,
      request('eth_call', params),
      /nested more than 68 levels deep/u,
    ]),
    ['a batch with one such request', `[${request('eth_call', arrays(100_000))}]`, /nested more than 68 levels deep/u],
    ['nothing but brackets', '['.repeat(1_000_000), /nested more than 68 levels deep/u],
    ['too many values in a list', request('eth_call', flat), /more than 20000 values/u],
    ['too many members', request('eth_call', `{${'"a":0,'.repeat(100_000)}"a":0}`), /more than 20000 values/u],
  ];

  test.each(texts)(
    '%s: is refused before it is parsed, at the price of an invalid request',
    async (_what, text, why) => {
      const { node, service, priceOf } = await start();
      const refused = { id: null, error: { code: -32600, message: expect.stringMatching(why) as string } };
      const overHttp = await priceOf(() => service.post(text));
      expect(overHttp).toMatchObject({ answer: { status: 413, body: refused }, price: INVALID });
      const { ask } = await openSocket(service.wsUrl);
      const overSocket = await priceOf(() => ask(text));
      expect(overSocket).toMatchObject({ answer: refused, price: INVALID });
      expect(node.calls).toEqual([]);
    },
  );

  test('brackets and commas in a string do not count', async () => {
    const { node, service } = await start();
    const data = '[{,\\"'.repeat(50_000);
    expect((await service.post(request('eth_call', `["${data}"]`))).body).toMatchObject({ result: '0x1' });
    expect(node.calls.map(({ params }) => params)).toEqual([[JSON.parse(`"${data}"`)]]);
  });
});

test('64 levels are forwarded unchanged', async () => {
  const { node, service } = await start();
  const all = nested(64);
  for (const [, params] of all)
    expect((await service.post(request('eth_call', params))).body).toMatchObject({ result: '0x1' });
  expect(node.calls.map(({ params }) => params)).toEqual(all.map(([, params]) => JSON.parse(params) as unknown));
});

describe("a node's answer that is nested 100,000 levels deep", () => {
  const startDeep = async (member: (deep: string) => string) => {
    const node = await startNode(({ id, method }, response) => {
      if (method !== 'eth_call') return '0x1';
      response.end(`{"jsonrpc":"2.0","id":${Number(id)},${member(arrays(100_000))}}`);
      return TAKEN;
    });
    return startService({ networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }] });
  };
  const batch = `[${request('eth_call', '[]')},${request('eth_blockNumber', '[]')}]`;
  const other = { jsonrpc: '2.0', id: 'eth_blockNumber', result: '0x1' };

  test('is not forwarded, and costs nothing', async () => {
    const service = await startDeep((deep) => `"result":${deep}`);
    const error = { code: -32603, message: "the network's response is nested too deeply" };
    expect(await service.post(request('eth_call', '[]'))).toMatchObject({
      status: 502,
      body: { id: 'eth_call', error },
    });
    expect(await service.used()).toBe(0);
    expect((await service.post(batch)).body).toEqual([{ jsonrpc: '2.0', id: 'eth_call', error }, other]);
  });

  test('is dropped from an error’s data', async () => {
    const service = await startDeep((deep) => `"error":{"code":3,"message":"execution reverted","data":${deep}}`);
    const refused = { jsonrpc: '2.0', id: 'eth_call', error: { code: 3, message: 'execution reverted' } };
    expect((await service.post(batch)).body).toEqual([refused, other]);
    const { ask } = await openSocket(service.wsUrl);
    expect(await ask(request('eth_call', '[]'))).toEqual(refused);
  });
});
