import { Admission } from '../../../src/service/admission/admission';
import { refusalOf } from '../../../src/service/chain/shares';
import type { RpcError } from '../../../src/service/chain/errors';
import type { KeyLimits } from '../../../src/service/keys/limits';
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

/** A client of a key with rates of its own, and what a request or notification of it is refused with. */
function ownRates() {
  let now = 0;
  const admission = new Admission({ requests: 10 }, refusalOf, { now: () => now });
  const spend = (limits: KeyLimits, requests: number, credits: number, id = 'a') => {
    try {
      admission.client(id).spend(limits, requests, credits);
      return undefined;
    } catch (error) {
      const { message, retryAfter } = error as RpcError;
      return [message, retryAfter];
    }
  };
  return { admission, spend, wait: (milliseconds: number) => (now += milliseconds) };
}

test('rates of a key are its own, and change with it', () => {
  const { admission, spend, wait } = ownRates();
  const two = { requestsPerSecond: 2 };
  const refused = ['limit exceeded: 2 requests per second for this key', 1];
  expect([0, 0, 0].map(() => spend(two, 1, 5))).toEqual([undefined, undefined, refused]);
  expect(spend(two, 1, 5, 'b')).toBeUndefined();
  // What a client without requests has used is not forgotten.
  admission.client('a').enter().leave();
  expect(spend(two, 1, 5)).toEqual(refused);
  wait(500);
  expect(spend(two, 1, 5)).toBeUndefined();
  expect(spend(two, 1, 5)).toEqual(refused);
  expect(spend({}, 1, 5)).toBeUndefined();
  const credits = { creditsPerSecond: 100 };
  expect(spend(credits, 1, 150)).toBeUndefined();
  wait(1000);
  // 50 of this second were spent before.
  expect(spend(credits, 1, 80)).toEqual(['limit exceeded: 100 credits per second for this key', 1]);
  wait(500);
  expect(spend(credits, 1, 80)).toBeUndefined();
});

test('notifications put a key into debt for ten seconds at most, and are refused after that', () => {
  const { spend, wait } = ownRates();
  const credits = { creditsPerSecond: 100 };
  let taken = 0;
  while (taken < 100 && spend(credits, 0, 50) === undefined) taken += 1;
  // The second that it had, and ten more.
  expect(taken).toBe(22);
  expect(spend(credits, 0, 50)).toEqual(['limit exceeded: 100 credits per second for this key', 1]);
  expect(spend(credits, 1, 50)).toEqual(['limit exceeded: 100 credits per second for this key', 11]);
  wait(10_500);
  expect(spend(credits, 1, 50)).toBeUndefined();
});

test('a member that a key could hide behind another of its name is refused before it reaches a node', async () => {
  const { node, keys, post } = await serviceWithNode();
  const { key } = await keys.create({ limits: { addresses: [A] } });
  const send = (call: string, options = { key }) =>
    post(`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[${call},"latest"]}`, options);
  for (const call of [`{"to":"${B}","to":"${A}"}`, `{"to":"${A}","x":[{"a":1,"\\u0061":2}]}`])
    expect(await send(call)).toMatchObject({
      status: 403,
      body: rejected('name a member of its parameters twice'),
    });
  expect(await send(`{"to":"${A}","x":[{"a":1},{"a":2}],"y":{"to":1}}`)).toMatchObject({
    body: { result: 'eth_call' },
  });
  expect(node.calls.filter(({ method }) => method === 'eth_call')).toHaveLength(1);
});
