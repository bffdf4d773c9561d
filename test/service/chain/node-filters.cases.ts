import { createClient } from '@redis/client';

import { Share } from '../../../src/service/admission/share';
import { FILTER_MS, MemoryFilters } from '../../../src/service/chain/filters/filter-store';
import { liveNode } from '../../support/service/live-node';
import { startNode, type TestNode } from '../../support/service/node';
import { noRedis, startRedis } from '../../support/service/redis';
import { startService, type TestService } from '../../support/service/service';
import { openSocket } from '../../support/service/socket';

const ADDRESS = `0x${'Ab'.repeat(20)}`;
const TOPIC = `0x${'Cd'.repeat(32)}`;
const NOT_FOUND = { code: -32000, message: 'filter not found' };

type FilterNode = TestNode & {
  /** The filters that it keeps, with their parameters, by ID. */
  filters: Map<unknown, unknown>;
  /** What the next request for changes gets. */
  changes: unknown[];
  /** Loses its filters, and counts from the beginning. */
  restart: () => void;
};

/** A node that counts its filters, so that their IDs are easy to guess. */
async function filterNode(idOf: (count: number) => unknown = (count) => `0x${count.toString(16)}`) {
  const filters = new Map<unknown, unknown>();
  let made = 0;
  const node: FilterNode = Object.assign(
    await startNode(({ method, params }) => {
      const [id] = params as unknown[];
      if (method.startsWith('eth_new')) {
        made += 1;
        filters.set(idOf(made), [method, ...(params as unknown[])]);
        return idOf(made);
      }
      if (method === 'eth_uninstallFilter') return filters.delete(id);
      if (!filters.has(id)) throw NOT_FOUND;
      return node.changes;
    }),
    {
      filters,
      changes: [] as unknown[],
      restart: () => {
        filters.clear();
        made = 0;
      },
    },
  );
  return node;
}

const networkOf = (...urls: string[]) => [{ name: 'mainnet', chainId: 1, upstream: urls.map((url) => ({ url })) }];

async function serviceWithNode(limits: object = {}) {
  const node = await filterNode();
  const service = await startService({ networks: networkOf(node.url), rpc: { limits } });
  return { node, service };
}

const request = (method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params });

async function newFilter({ call }: TestService, method = 'eth_newFilter', ...params: unknown[]): Promise<string> {
  const { result } = await call(method, ...(method === 'eth_newFilter' && params.length === 0 ? [{}] : params));
  expect(result).toMatch(/^0x[0-9a-f]{32}$/u);
  return result as string;
}

test('a key can neither read nor end the filter of another, nor one by the ID of the node', async () => {
  const { node, service } = await serviceWithNode();
  const id = await newFilter(service);
  const other = await service.keys.create();
  for (const guessed of [id, '0x1', '1'])
    for (const key of [other.key, ...(guessed === id ? [] : [service.key.key])]) {
      const ask = async (method: string) => (await service.post(request(method, guessed), { key })).body;
      expect(await ask('eth_getFilterChanges')).toMatchObject({ error: NOT_FOUND });
      expect(await ask('eth_getFilterLogs')).toMatchObject({ error: NOT_FOUND });
      expect(await ask('eth_uninstallFilter')).toMatchObject({ result: false });
    }
  expect(node.calls.map(({ method }) => method)).toEqual(['eth_newFilter']);
  expect(await service.call('eth_getFilterChanges', id)).toMatchObject({ result: [] });
});

test('a filter of one network is none of another', async () => {
  const node = await filterNode();
  const [mainnet] = networkOf(node.url);
  const second = { name: 'second', chainId: 1, upstream: node.url, hosts: ['second.example'] };
  const service = await startService({
    networks: [
      { ...mainnet, hosts: ['127.0.0.1'] },
      { ...second, port: 0 },
    ],
  });
  const id = await newFilter(service);
  const url = service.addresses['RPC second']!;
  expect((await service.post(request('eth_getFilterChanges', id), { url })).body).toMatchObject({ error: NOT_FOUND });
  expect((await service.post(request('eth_uninstallFilter', id), { url })).body).toMatchObject({ result: false });
  expect(await service.call('eth_uninstallFilter', id)).toMatchObject({ result: true });
});

test('the node gets the filter in one form, and answers to the end of the filter; a reorganization is as it tells it', async () => {
  const { node, service } = await serviceWithNode();
  const id = await newFilter(service, 'eth_newFilter', { address: ADDRESS, topics: [null, [null, TOPIC], TOPIC] });
  const block = await newFilter(service, 'eth_newBlockFilter');
  const pending = await newFilter(service, 'eth_newPendingTransactionFilter');
  const whole = await newFilter(service, 'eth_newPendingTransactionFilter', true);
  const selected = { address: [ADDRESS.toLowerCase()], topics: [null, null, [TOPIC.toLowerCase()]] };
  expect([...node.filters.values()]).toEqual([
    ['eth_newFilter', selected],
    ['eth_newBlockFilter'],
    ['eth_newPendingTransactionFilter'],
    ['eth_newPendingTransactionFilter', true],
  ]);
  node.changes = [
    { blockNumber: '0x5', data: '0x01', removed: true },
    { blockNumber: '0x5', data: '0x02', removed: false },
  ];
  for (const method of ['eth_getFilterChanges', 'eth_getFilterLogs'])
    expect(await service.call(method, id)).toMatchObject({ result: node.changes });
  const { ask } = await openSocket(service.wsUrl);
  expect(await ask(request('eth_getFilterChanges', id))).toMatchObject({ result: node.changes });
  for (const each of [id, block, pending, whole]) {
    expect(await service.call('eth_uninstallFilter', each)).toMatchObject({ result: true });
    expect(await service.call('eth_uninstallFilter', each)).toMatchObject({ result: false });
    expect(await service.call('eth_getFilterChanges', each)).toMatchObject({ error: NOT_FOUND });
  }
  while (node.filters.size > 0) await new Promise(setImmediate);
});

test.each<[RegExp, string, ...unknown[]]>([
  [/missing value for required argument 0/, 'eth_newFilter'],
  [/argument 0: the filter must be an object/, 'eth_newFilter', []],
  [/address: must be an address/, 'eth_newFilter', { address: '0x12' }],
  [/address: must be an address/, 'eth_newFilter', { address: [null] }],
  [/topics\[0\]: must be a topic/, 'eth_newFilter', { topics: [[TOPIC, '0x12']] }],
  [/fromBlock: must be a block number in hex, or a tag/, 'eth_newFilter', { fromBlock: '12' }],
  [/toBlock: must be a block number in hex, or a tag/, 'eth_newFilter', { toBlock: {} }],
  [/"blockHash": a filter has only address, topics, fromBlock and toBlock/, 'eth_newFilter', { blockHash: TOPIC }],
  [
    /the filter is longer than 16384 characters/,
    'eth_newFilter',
    { address: Array.from({ length: 400 }, (_, i) => `0x${String(i).padStart(40, '0')}`) },
  ],
  [/too many arguments, want at most 1/, 'eth_newFilter', {}, {}],
  [/too many arguments, want at most 0/, 'eth_newBlockFilter', true],
  [/must be true, for whole transactions, or false/, 'eth_newPendingTransactionFilter', 'x'],
  [/missing value for required argument 0/, 'eth_getFilterChanges'],
  [/argument 0: must be the ID of a filter/, 'eth_getFilterLogs', 1],
  [/argument 0: must be the ID of a filter/, 'eth_uninstallFilter', null],
])('a request is refused, at the price of an invalid one: %s', async (message, method, ...params) => {
  const { node, service } = await serviceWithNode();
  expect(await service.call(method, ...params)).toMatchObject({
    error: { code: -32602, message: expect.stringMatching(message) as string },
  });
  expect(node.calls).toEqual([]);
  expect(await service.used()).toBe(5);
});

test('a range of blocks is passed on, and so are the prices what they are said to be', async () => {
  const { node, service } = await serviceWithNode();
  const id = await newFilter(service, 'eth_newFilter', { fromBlock: 'earliest', toBlock: '0xFF' });
  expect([...node.filters.values()]).toEqual([['eth_newFilter', { fromBlock: '0x0', toBlock: '0xff' }]]);
  expect(await service.used()).toBe(80);
  await service.call('eth_getFilterChanges', id);
  expect(await service.used()).toBe(160);
  await service.call('eth_uninstallFilter', id);
  expect(await service.used()).toBe(165);
});

describe('limits', () => {
  test('a key has no more filters than allowed, and nothing of one too many stays at the node', async () => {
    const { node, service } = await serviceWithNode({ keyFilters: 2 });
    const [first] = [await newFilter(service), await newFilter(service, 'eth_newBlockFilter')];
    expect(await service.call('eth_newFilter', {})).toMatchObject({
      error: { code: -32005, message: 'too many filters of this key, at most 2: uninstall one first' },
    });
    while (node.filters.size > 2) await new Promise(setImmediate);
    const other = await service.keys.create();
    expect((await service.post(request('eth_newFilter', {}), { key: other.key })).body).toHaveProperty('result');
    await service.call('eth_uninstallFilter', first);
    await newFilter(service);
  });

  test('filters count as memory of their key', async () => {
    const { service } = await serviceWithNode({ keyBytes: 1500 });
    await newFilter(service);
    const second = await newFilter(service);
    expect(await service.post(request('eth_newFilter', {}))).toMatchObject({ status: 429 });
    await service.call('eth_uninstallFilter', second);
    await newFilter(service);
  });

  test('a filter that nobody uses for five minutes ends, and takes no memory', async () => {
    let now = 0;
    const store = new MemoryFilters(() => now);
    const memory = new Share();
    const owner = { key: 'a', network: 'mainnet', memory };
    const filterOf = (id: string) => ({ node: 'node', id, limits: '' });
    for (const id of ['used', 'unused', 'ended']) await store.add(owner, id, filterOf(id), 3);
    expect(await store.add(owner, 'more', filterOf('more'), 3)).toBe(false);
    now = FILTER_MS - 1;
    expect(await store.use(owner, 'used')).toEqual(filterOf('used'));
    expect(await store.remove(owner, 'ended')).toEqual(filterOf('ended'));
    expect(memory.held).toBe(1024);
    now = FILTER_MS;
    expect(await store.use(owner, 'unused')).toBeUndefined();
    expect(await store.use(owner, 'used')).toEqual(filterOf('used'));
    expect(memory.held).toBe(512);
    now = 3 * FILTER_MS;
    expect(await store.add(owner, 'new', filterOf('new'), 1)).toBe(true);
    expect(await store.remove(owner, 'used')).toBeUndefined();
    expect(memory.held).toBe(512);
    // The node gives the same ID again.
    expect(await store.add({ ...owner, key: 'b' }, 'other', filterOf('new'), 1)).toBe(true);
    expect(await store.use(owner, 'new')).toBeUndefined();
    expect(memory.held).toBe(512);
    await store.close();
  });

  test('a filter ends when the limits of its key change, and the key may not make it again', async () => {
    const { node, service } = await serviceWithNode();
    const { key } = await service.keys.create({ limits: { addresses: [ADDRESS.toLowerCase()] } });
    const ask = async (method: string, param: unknown) => (await service.post(request(method, param), { key })).body;
    const { result: id } = (await ask('eth_newFilter', { address: ADDRESS })) as { result: string };
    expect(await ask('eth_getFilterChanges', id)).toMatchObject({ result: [] });
    await service.keys.edit(key, { limits: { addresses: [`0x${'00'.repeat(20)}`] } });
    expect(await ask('eth_getFilterChanges', id)).toMatchObject({ error: NOT_FOUND });
    expect(await ask('eth_newFilter', { address: ADDRESS })).toMatchObject({ error: { code: -32002 } });
    while (node.filters.size > 0) await new Promise(setImmediate);
  });
});

describe('nodes', () => {
  test('after a restart of a node that counts, nobody gets the changes of another, or ends its filter', async () => {
    const { node, service } = await serviceWithNode();
    const other = await service.keys.create();
    const asOther = async (method: string, param: unknown) =>
      (await service.post(request(method, param), { key: other.key })).body;
    const id = await newFilter(service);
    node.restart();
    const { result: theirs } = (await asOther('eth_newFilter', {})) as { result: string };
    expect([...node.filters.keys()]).toEqual(['0x1']);
    node.changes = [{ data: '0x01' }];
    expect(await service.call('eth_getFilterChanges', id)).toMatchObject({ error: NOT_FOUND });
    expect(await service.call('eth_getFilterLogs', id)).toMatchObject({ error: NOT_FOUND });
    expect(await service.call('eth_uninstallFilter', id)).toMatchObject({ result: false });
    expect(await asOther('eth_getFilterChanges', theirs)).toMatchObject({ result: node.changes });
    // What the node no longer has is forgotten before somebody else has its ID there.
    node.restart();
    expect(await asOther('eth_getFilterChanges', theirs)).toMatchObject({ error: NOT_FOUND });
    node.filters.set('0x1', 'of a client that asks the node itself');
    expect(await asOther('eth_getFilterChanges', theirs)).toMatchObject({ error: NOT_FOUND });
  });

  test('a filter stays at its node, and ends with it if there is another', async () => {
    const [first, second] = [await liveNode('first'), await liveNode('second')];
    for (const node of [first, second])
      node.answer = ({ method }) => (method.startsWith('eth_new') ? '0x1' : [node.name]);
    const service = await startService({ networks: networkOf(first.url, second.url) });
    const id = await newFilter(service);
    expect(await service.call('eth_getFilterChanges', id)).toMatchObject({ result: ['first'] });
    await first.stop();
    expect(await service.call('eth_getFilterChanges', id)).toMatchObject({ error: { code: -32603 } });
    while (!(await service.metrics()).includes(`node_up{network="mainnet",node="${first.host}"} 0`))
      await new Promise(setImmediate);
    expect(await service.call('eth_getFilterChanges', id)).toMatchObject({ error: NOT_FOUND });
    const next = await newFilter(service);
    expect(await service.call('eth_getFilterChanges', next)).toMatchObject({ result: ['second'] });
  });

  test('while the only node is down, the request is free and the filter stays', async () => {
    const node = await liveNode('node');
    node.answer = ({ method }) => (method.startsWith('eth_new') ? '0x1' : []);
    const service = await startService({ networks: networkOf(node.url) });
    const id = await newFilter(service);
    await node.stop();
    for (let i = 0; i < 2; i++)
      expect(await service.post(request('eth_getFilterChanges', id))).toMatchObject({ status: 502 });
    expect(await service.used()).toBe(80);
    await node.start();
    expect(await service.call('eth_getFilterChanges', id)).toMatchObject({ result: [] });
  });

  test('an ID that is neither a number nor a short text is no answer', async () => {
    for (const id of [null, {}, 'x'.repeat(200)]) {
      const node = await filterNode(() => id);
      const service = await startService({ networks: networkOf(node.url) });
      expect(await service.post(request('eth_newFilter', {}))).toMatchObject({ status: 502 });
    }
    const node = await filterNode((count) => count);
    const service = await startService({ networks: networkOf(node.url) });
    const id = await newFilter(service);
    expect(await service.call('eth_getFilterChanges', id)).toMatchObject({ result: [] });
  });

  test('a network without a node, and a node whose operator lists other methods, have no filters', async () => {
    const node = await filterNode();
    const listed = [{ name: 'mainnet', chainId: 1, upstream: { url: node.url, methods: ['eth_blockNumber'] } }];
    for (const networks of [listed, [{ name: 'mainnet', chainId: 1 }]]) {
      const service = await startService({ networks });
      expect(await service.call('eth_newFilter', {})).toMatchObject({ error: { code: -32601 } });
    }
    expect(node.calls).toEqual([]);
  });
});

(noRedis === undefined ? describe : describe.skip)(`several processes (${noRedis ?? 'Redis'})`, () => {
  test('a filter of one is known to the others, within one limit, and to no other key', async () => {
    const { url } = await startRedis();
    const node = await filterNode();
    const config = {
      networks: networkOf(node.url),
      ledger: 'redis',
      redis: { url },
      rpc: { limits: { keyFilters: 2 } },
    };
    const [first, second] = [await startService(config), await startService(config)];
    const { key } = first.key;
    const ask = async (service: TestService, method: string, param: unknown, as = key) =>
      (await service.post(request(method, param), { key: as })).body;
    const id = await newFilter(first);
    const { result: other } = (await ask(second, 'eth_newFilter', {})) as { result: string };
    expect(await ask(first, 'eth_newFilter', {})).toMatchObject({ error: { code: -32005 } });
    for (const service of [first, second])
      for (const each of [id, other])
        expect(await ask(service, 'eth_getFilterChanges', each)).toMatchObject({ result: [] });
    expect(await ask(second, 'eth_getFilterChanges', id, second.key.key)).toMatchObject({ error: NOT_FOUND });
    expect(await ask(second, 'eth_uninstallFilter', id)).toMatchObject({ result: true });
    expect(await ask(first, 'eth_getFilterChanges', id)).toMatchObject({ error: NOT_FOUND });

    const redis = createClient({ url });
    await redis.connect();
    const name = `{keystead:filters}:${first.key.identity.id}:mainnet`;
    const left = await redis.pTTL(name);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(FILTER_MS);
    // As if its time had passed, while another was used.
    const row = await redis.hGet(name, other);
    await redis.hSet(name, other, row!.replace(/^\d+/u, '1000'));
    expect(await ask(first, 'eth_getFilterChanges', other)).toMatchObject({ error: NOT_FOUND });
    await redis.hSet(name, { old: '1000 {}', older: '999 {}' });
    await ask(first, 'eth_newFilter', {});
    expect(await redis.hLen(name)).toBe(1);
    await redis.close();
  });

  test('after a restart of a node that counts, nobody gets the changes of a key at another process', async () => {
    const { url } = await startRedis();
    const node = await filterNode();
    const config = { networks: networkOf(node.url), ledger: 'redis', redis: { url } };
    const [first, second] = [await startService(config), await startService(config)];
    const id = await newFilter(first);
    expect(await first.call('eth_getFilterChanges', id)).toMatchObject({ result: [] });
    const redis = createClient({ url });
    await redis.connect();
    // It is known where a filter is for as long as it is used.
    const [place = ''] = await redis.keys('{keystead:filters}:at:*');
    await redis.pExpire(place, 1000);
    await first.call('eth_getFilterChanges', id);
    expect(await redis.pTTL(place)).toBeGreaterThan(1000);
    await redis.close();
    node.restart();
    const theirs = await newFilter(second);
    expect(await first.call('eth_getFilterChanges', id)).toMatchObject({ error: NOT_FOUND });
    expect(await first.call('eth_uninstallFilter', id)).toMatchObject({ result: false });
    expect(await second.call('eth_getFilterChanges', theirs)).toMatchObject({ result: [] });
  });

  test('without Redis, the request is free and says so', async () => {
    const redis = await startRedis();
    const node = await filterNode();
    const service = await startService({ networks: networkOf(node.url), ledger: 'redis', redis: { url: redis.url } });
    const id = await newFilter(service);
    redis.process.kill('SIGKILL');
    expect(await service.post(request('eth_getFilterChanges', id))).toMatchObject({ status: 503 });
  });
});
