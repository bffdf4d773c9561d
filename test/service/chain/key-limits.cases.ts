import { KeyRates } from '../../../src/service/admission/key-rates';
import { liveNode } from '../../support/service/live-node';
import { startNode } from '../../support/service/node';
import { testWithinOneDay } from '../../support/service/one-day';
import { startService } from '../../support/service/service';
import { openSocket, refusedSocket } from '../../support/service/socket';

const A = `0x${'aa'.repeat(20)}`;
const B = `0x${'bb'.repeat(20)}`;

const request = (method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params });
const rejected = (what: string) => ({
  error: { code: -32002, message: `rejected due to project ID settings: this key may not ${what}` },
});

async function serviceWithNode() {
  const node = await startNode(({ method }) => method);
  const service = await startService({ networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }] });
  return { node, ...service };
}

test('what a key may not do never reaches the node, alone or in a batch; the rest of the batch is answered', async () => {
  const { node, keys, post } = await serviceWithNode();
  const { key } = await keys.create({ limits: { methods: ['eth_call', 'eth_getBalance'], addresses: [A] } });
  expect(await post(request('eth_getCode', A, 'latest'), { key })).toMatchObject({
    status: 403,
    body: rejected('call eth_getCode'),
  });
  const { status, body } = await post(
    [
      request('eth_call', { to: B }, 'latest'),
      request('eth_call', { to: A }, 'latest'),
      request('eth_getBalance', B, 'latest'),
      { jsonrpc: '2.0', method: 'eth_getBalance', params: [B, 'latest'] },
    ],
    { key },
  );
  expect(status).toBe(200);
  expect(body).toMatchObject([
    rejected(`name the address ${B} (eth_call)`),
    { result: 'eth_call' },
    rejected(`name the address ${B} (eth_getBalance)`),
  ]);
  expect(node.calls.filter(({ method }) => method !== 'eth_blockNumber')).toEqual([
    { method: 'eth_call', params: [{ to: A }, 'latest'] },
  ]);
});

test('a refusal costs as much as an invalid request', async () => {
  const { keys, post, used } = await serviceWithNode();
  const { key } = await keys.create({ limits: { methods: [] } });
  await post(request('eth_call', { to: A }, 'latest'), { key });
  expect(await used()).toBe(5);
});

test('a page of another origin is refused, over HTTP and as a WebSocket', async () => {
  const { keys, post, wsUrl, key: own } = await serviceWithNode();
  const { key } = await keys.create({ limits: { origins: ['https://app.example'] } });
  const chainId = request('eth_chainId');
  const from = (origin: string) => post(chainId, { key, headers: { origin } });
  expect(await from('https://app.example')).toMatchObject({ status: 200, body: { result: '0x1' } });
  expect(await from('https://evil.example')).toMatchObject({
    status: 403,
    body: rejected('be used from https://evil.example'),
  });
  expect(await post(chainId, { key })).toMatchObject({ status: 403, body: rejected('be used without an origin') });
  const url = wsUrl.replace(own.key, key);
  expect(await refusedSocket(url)).toMatchObject({ status: 403, body: rejected('be used without an origin') });
  const { ask } = await openSocket(url, { origin: 'https://app.example' });
  expect(await ask(chainId)).toMatchObject({ result: '0x1' });
});

test('a changed key is changed on open WebSockets, too', async () => {
  const { keys, key, wsUrl } = await serviceWithNode();
  const { ask } = await openSocket(wsUrl);
  expect(await ask(request('eth_chainId'))).toMatchObject({ result: '0x1' });
  await keys.edit(key.key, { limits: { methods: ['eth_blockNumber'] } });
  expect(await ask(request('eth_chainId'))).toMatchObject(rejected('call eth_chainId'));
  expect(await ask(request('eth_blockNumber'))).toHaveProperty('result');
});

test('a subscription ends once its key may no longer have it', async () => {
  const node = await liveNode('node');
  const { keys, key, wsUrl } = await startService({
    networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url, wsUrl: node.wsUrl } }],
  });
  await keys.edit(key.key, { limits: { addresses: [A] } });
  const { ask, next, closed } = await openSocket(wsUrl);
  expect(await ask(request('eth_subscribe', 'logs', {}))).toMatchObject(
    rejected('ask for the logs of every address (eth_subscribe)'),
  );
  expect(await ask(request('eth_subscribe', 'logs', { address: A }))).toHaveProperty('result');
  const params = ['logs', { address: [A] }] as const;
  node.notify(params, '{"n":1}');
  expect(await next()).toMatchObject({ params: { result: { n: 1 } } });
  await keys.edit(key.key, { limits: { addresses: [B] } });
  node.notify(params, '{"n":2}');
  expect(await closed).toEqual([1008, 'the key may no longer have this subscription']);
});

testWithinOneDay('requests a day are counted exactly, whatever they ask for', async () => {
  const { keys, post } = await serviceWithNode();
  const { key } = await keys.create({ limits: { requestsPerDay: 3 } });
  const { body } = await post(
    [1, 2, 3, 4, 5].map(() => request('eth_chainId')),
    { key },
  );
  const results = (body as { result?: string }[]).filter(({ result }) => result === '0x1');
  expect(results).toHaveLength(3);
  const { status, headers, body: last } = await post(request('eth_nothing'), { key });
  expect([status, last]).toMatchObject([
    429,
    { error: { code: -32005, message: 'limit exceeded: 3 requests per day for this key' } },
  ]);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
});

test('rates of a key are its own, and change with it', () => {
  let now = 0;
  const rates = new KeyRates(() => now);
  const limited = (limits: object) => ({ id: 'a', limits });
  const two = limited({ requestsPerSecond: 2 });
  expect([0, 0, 0].map(() => rates.take(two, 5)?.limit)).toEqual([
    undefined,
    undefined,
    '2 requests per second for this key',
  ]);
  expect(rates.take({ ...two, id: 'b' }, 5)).toBeUndefined();
  now += 500;
  expect(rates.take(two, 5)).toBeUndefined();
  expect(rates.take(two, 5)).toEqual({ limit: '2 requests per second for this key', seconds: 1 });
  expect(rates.take(limited({}), 5)).toBeUndefined();
  const credits = limited({ creditsPerSecond: 100 });
  expect(rates.take(credits, 150)).toBeUndefined();
  now += 1000;
  // 50 of this second were spent before.
  expect(rates.take(credits, 80)).toMatchObject({ limit: '100 credits per second for this key' });
  now += 500;
  expect(rates.take(credits, 80)).toBeUndefined();
  rates.spend(credits, 100);
  now += 1000;
  expect(rates.take(credits, 80)).toMatchObject({ seconds: 1 });
  now += 1000;
  expect(rates.take(credits, 80)).toBeUndefined();
});
