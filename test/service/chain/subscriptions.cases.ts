import { pino } from 'pino';

import { RpcError } from '../../../src/service/chain/errors';
import { Feed, type NodeSource } from '../../../src/service/chain/subscriptions/feed';
import { parseSubscription } from '../../../src/service/chain/subscriptions/subscription';
import type { ChainNode } from '../../../src/service/chain/upstreams/chain-node';
import { beat, fakeBeats } from '../../support/service/beats';
import { hex, liveNode, LiveNode } from '../../support/service/live-node';
import { startNode } from '../../support/service/node';
import { startService, type TestService } from '../../support/service/service';
import { openSocket, type TestSocket } from '../../support/service/socket';

const ADDRESS = `0x${'Ab'.repeat(20)}`;
const TOPIC = `0x${'Cd'.repeat(32)}`;

type Settings = { daily?: number; notifications?: object; limits?: object };

const serviceOn = (nodes: readonly LiveNode[], { daily, notifications, limits }: Settings = {}): Promise<TestService> =>
  startService({
    networks: [{ name: 'mainnet', chainId: 1, upstream: nodes.map(({ url, wsUrl }) => ({ url, wsUrl })) }],
    credits: { ...(daily !== undefined && { daily }), ...(notifications && { notifications }) },
    // The tests ask as fast as they can, also while timers are faked.
    rpc: { limits: { keyPerSecond: 1_000_000, keyBurst: 1_000_000, ...limits } },
  });

async function oneNode(settings: Settings = {}) {
  const node = await liveNode('node');
  return { node, service: await serviceOn([node], settings) };
}

const request = (method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params });
const refused = (code: number, message: RegExp) => ({
  error: { code, message: expect.stringMatching(message) as string },
});

/** Subscribes and returns the ID. */
async function subscribe({ ask }: TestSocket, ...params: unknown[]): Promise<string> {
  const { result } = await ask(request('eth_subscribe', ...params));
  expect(result).toMatch(/^0x[0-9a-f]{32}$/u);
  return result as string;
}

const notification = (subscription: string, result: unknown) => ({
  jsonrpc: '2.0',
  method: 'eth_subscription',
  params: { subscription, result },
});

const head = (number: number) => JSON.stringify({ number: hex(number) });

test('clients with the same subscription share one at the node, and each gets every notification', async () => {
  const { node, service } = await oneNode();
  const [a, b] = [await openSocket(service.wsUrl), await openSocket(service.wsUrl)];
  const ids = [await subscribe(a, 'newHeads'), await subscribe(a, 'newHeads'), await subscribe(b, 'newHeads')] as const;
  expect(new Set(ids).size).toBe(3);
  expect(node.subscribed).toEqual(['["newHeads"]']);
  expect(node.connections).toBe(1);
  for (const number of [1, 2]) {
    node.notify(['newHeads'], head(number));
    const result = { number: hex(number) };
    expect([await a.next(), await a.next()]).toEqual([notification(ids[0], result), notification(ids[1], result)]);
    expect(await b.next()).toEqual(notification(ids[2], result));
  }
});

test('a notification keeps every digit that the node sent', async () => {
  const { node, service } = await oneNode();
  const { socket } = await openSocket(service.wsUrl);
  const frames: string[] = [];
  const second = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      if (frames.push(String(data as Buffer)) === 2) resolve();
    });
  });
  socket.send(JSON.stringify(request('eth_subscribe', 'newHeads')));
  await node.until(() => node.live.length === 1);
  node.notify(['newHeads'], '{"x": 12345678901234567890.50}');
  await second;
  expect(frames[1]).toContain('"result":{"x": 12345678901234567890.50}}}');
});

test('a filter of logs reaches the node, and the same filter in another form is the same subscription', async () => {
  const { node, service } = await oneNode();
  const client = await openSocket(service.wsUrl);
  const id = await subscribe(client, 'logs', { address: ADDRESS, topics: [null, [TOPIC, TOPIC.toLowerCase()]] });
  await subscribe(client, 'logs', { topics: [[], TOPIC], address: [ADDRESS.toLowerCase()], fromBlock: 'latest' });
  await subscribe(client, 'logs', {});
  const filter = { address: [ADDRESS.toLowerCase()], topics: [null, [TOPIC.toLowerCase()]] };
  expect(node.subscribed).toEqual([JSON.stringify(['logs', filter]), '["logs",{}]']);
  node.notify(['logs', filter], '{"data":"0x"}');
  expect(await client.next()).toEqual(notification(id, { data: '0x' }));
});

test('pending transactions are subscribed to as hashes or whole', async () => {
  const { node, service } = await oneNode();
  const client = await openSocket(service.wsUrl);
  const id = await subscribe(client, 'newPendingTransactions');
  await subscribe(client, 'newPendingTransactions', true);
  expect(node.subscribed).toEqual(['["newPendingTransactions"]', '["newPendingTransactions",true]']);
  node.notify(['newPendingTransactions'], '"0x12"');
  expect(await client.next()).toEqual(notification(id, '0x12'));
});

test.each([
  [[], /missing value for required argument 0/],
  [['sync'], /unknown subscription "sync": must be one of newHeads, logs, newPendingTransactions, syncing$/],
  [['syncing', {}], /too many arguments, want at most 1/],
  [[5], /unknown subscription: must be one of/],
  [['newHeads', {}], /too many arguments, want at most 1/],
  [['logs', {}, {}], /too many arguments, want at most 2/],
  [['logs', []], /the filter must be an object/],
  [['logs', { address: '0x12' }], /address: must be an address/],
  [['logs', { address: [ADDRESS, 5] }], /address: must be an address/],
  [['logs', { topics: TOPIC }], /topics: must be a list/],
  [['logs', { topics: [null, '0x12'] }], /topics\[1\]: must be a topic/],
  [['logs', { topics: [null, null, null, null, null] }], /topics: at most 4 positions/],
  [
    ['logs', { address: Array.from({ length: 400 }, (_, i) => `0x${String(i).padStart(40, '0')}`) }],
    /the filter is longer than 16384 characters/,
  ],
  [['logs', { blockHash: TOPIC }], /"blockHash": a filter has only address, topics, fromBlock and toBlock/],
  [['logs', { fromBlock: '1' }], /fromBlock: must be a block number in hex, earliest, latest, safe or finalized/],
  [['logs', { fromBlock: 'pending' }], /fromBlock: must be a block number in hex, earliest, latest, safe or finalized/],
  [['logs', { fromBlock: '0x0', toBlock: '0x0' }], /toBlock: only new logs are sent, so it must be absent or latest/],
  [['logs', { fromBlock: '0x0', toBlock: 'pending' }], /toBlock: only new logs are sent/],
  [['logs', { toBlock: 'earliest' }], /toBlock: only new logs are sent/],
  [['newPendingTransactions', 'x'], /must be true, for whole transactions, or false/],
])('%j is refused, at the price of an invalid request', async (params, message) => {
  const { node, service } = await oneNode();
  const { ask } = await openSocket(service.wsUrl);
  expect(await ask(request('eth_subscribe', ...params))).toMatchObject(refused(-32602, message));
  expect(node.subscribed).toEqual([]);
  expect(await service.used()).toBe(5);
});

test('over HTTP the client is told to use a WebSocket', async () => {
  const { service } = await oneNode();
  for (const method of ['eth_subscribe', 'eth_unsubscribe'])
    expect(await service.call(method, 'newHeads')).toMatchObject(
      refused(-32601, /^notifications not supported: subscribe over a WebSocket/),
    );
});

test('without a WebSocket of a node, the client is told which setting is missing, and what to do instead', async () => {
  const node = await startNode(() => '0x1');
  for (const upstream of [{}, { upstream: node.url }]) {
    const service = await startService({ networks: [{ name: 'mainnet', chainId: 1, ...upstream }] });
    const { ask } = await openSocket(service.wsUrl);
    for (const method of ['eth_subscribe', 'eth_unsubscribe'])
      expect(await ask(request(method, 'newHeads'))).toMatchObject(
        refused(-32601, /networks\[\]\.upstream\.wsUrl\); poll eth_blockNumber/),
      );
  }
});

test("the node's own refusal reaches the client, and nothing stays subscribed", async () => {
  const { node, service } = await oneNode();
  node.answer = () => {
    throw { code: -32601, message: 'no such subscription' } as unknown as Error;
  };
  const client = await openSocket(service.wsUrl);
  expect(await client.ask(request('eth_subscribe', 'logs'))).toMatchObject(refused(-32601, /^no such subscription$/));
  node.answer = () => 'fine';
  await subscribe(client, 'logs');
  expect(node.subscribed).toHaveLength(2);
});

describe('a subscription ends', () => {
  test('when it is told to, at the node with the last client', async () => {
    const { node, service } = await oneNode();
    const [a, b] = [await openSocket(service.wsUrl), await openSocket(service.wsUrl)];
    const [ofA, ofB] = [await subscribe(a, 'newHeads'), await subscribe(b, 'newHeads')];
    await subscribe(b, 'logs');
    expect(await b.ask(request('eth_unsubscribe', ofA))).toMatchObject(refused(-32000, /^subscription not found$/));
    expect(await a.ask(request('eth_unsubscribe', ofA))).toMatchObject({ result: true });
    expect(await a.ask(request('eth_unsubscribe', ofA))).toMatchObject(refused(-32000, /^subscription not found$/));
    expect(node.live).toContain('["newHeads"]');
    node.notify(['newHeads'], head(1));
    expect(await b.next()).toEqual(notification(ofB, { number: '0x1' }));
    expect(await b.ask(request('eth_unsubscribe', ofB))).toMatchObject({ result: true });
    await node.until(() => node.live.join() === '["logs",{}]');
    expect(await a.ask(request('eth_chainId'))).toMatchObject({ result: '0x1' });
    expect(await a.ask(request('eth_unsubscribe', 5))).toMatchObject(refused(-32602, /must be the ID/));
  });

  test('when its WebSocket closes; with the last one, the connection to the node does too', async () => {
    const { node, service } = await oneNode();
    const [a, b] = [await openSocket(service.wsUrl), await openSocket(service.wsUrl)];
    await subscribe(a, 'newHeads');
    await subscribe(b, 'newHeads');
    await subscribe(b, 'logs');
    b.socket.close();
    await node.until(() => node.live.join() === '["newHeads"]');
    a.socket.terminate();
    await node.until(() => node.live.length === 0);
    const { socket } = await openSocket(service.wsUrl);
    socket.close();
    while (!(await service.metrics()).includes('keystead_rpc_subscriptions{network="mainnet",kind="logs"} 0'))
      await service.call('eth_chainId');
  });

  test('with the service', async () => {
    const { node, service } = await oneNode();
    const client = await openSocket(service.wsUrl);
    await subscribe(client, 'newHeads');
    await service.stop();
    expect(await client.closed).toEqual([1001, 'the service is stopping']);
    await node.until(() => node.live.length === 0);
  });
});

test('one WebSocket has no more subscriptions than allowed', async () => {
  const { service } = await oneNode({ limits: { socketSubscriptions: 2 } });
  const client = await openSocket(service.wsUrl);
  const id = await subscribe(client, 'newHeads');
  await subscribe(client, 'logs');
  expect(await client.ask(request('eth_subscribe', 'newHeads'))).toMatchObject(refused(-32005, /at most 2/));
  await client.ask(request('eth_unsubscribe', id));
  await subscribe(client, 'newHeads');
  await subscribe(await openSocket(service.wsUrl), 'newHeads');
});

describe('credits', () => {
  test('subscribing has a price, and so has each notification', async () => {
    const { node, service } = await oneNode({ notifications: { newHeads: 7 } });
    const client = await openSocket(service.wsUrl);
    await subscribe(client, 'newHeads');
    expect(await service.used()).toBe(5);
    for (const number of [1, 2, 3]) node.notify(['newHeads'], head(number));
    for (let i = 0; i < 3; i++) await client.next();
    expect(await service.used()).toBe(5 + 3 * 7);
    expect(await service.metrics()).toContain('keystead_rpc_notifications_total{network="mainnet",kind="newHeads"} 3');
  });

  test('a key that has none left gets no further notification, and its WebSocket is closed', async () => {
    const { node, service } = await oneNode({ daily: 110 });
    const client = await openSocket(service.wsUrl);
    const id = await subscribe(client, 'newHeads');
    for (const number of [1, 2, 3]) node.notify(['newHeads'], head(number));
    for (const number of [1, 2]) expect(await client.next()).toEqual(notification(id, { number: hex(number) }));
    expect(await client.closed).toEqual([1008, 'daily credit limit reached']);
    await node.until(() => node.live.length === 0);
  });

  test('requests in progress, which are paid for, are answered before it is closed', async () => {
    const { node, service } = await oneNode({ daily: 134 });
    const client = await openSocket(service.wsUrl);
    await subscribe(client, 'newHeads');
    let answer = () => undefined as unknown;
    const arrived = new Promise<void>((resolve) => {
      node.answer = ({ id: asked }, response) => {
        answer = () => response?.end(JSON.stringify({ jsonrpc: '2.0', id: asked, result: 'late' }));
        resolve();
      };
    });
    client.send(request('eth_gasPrice'));
    await arrived;
    node.notify(['newHeads'], head(1));
    // 5 and 80 are spent: the notification is not affordable.
    await node.until(() => node.live.length === 0);
    answer();
    expect(await client.next()).toMatchObject({ result: 'late' });
    expect(await client.closed).toEqual([1008, 'daily credit limit reached']);
  });

  test('a subscription that no node grants is free', async () => {
    const { node, service } = await oneNode();
    await service.call('eth_gasPrice');
    await node.stop();
    const client = await openSocket(service.wsUrl);
    expect(await client.ask(request('eth_subscribe', 'newHeads'))).toMatchObject(
      refused(-32603, /^the network's node cannot be reached$/),
    );
    expect(await service.used()).toBe(80);
  });
});

test('a revoked key gets no further notification', async () => {
  const { node, service } = await oneNode();
  const client = await openSocket(service.wsUrl);
  await subscribe(client, 'newHeads');
  await service.keys.revoke(service.key.key);
  node.notify(['newHeads'], head(1));
  expect(await client.closed).toEqual([1008, 'Unauthorized']);
});

test('a client that does not read is disconnected, and the others are not', async () => {
  const { node, service } = await oneNode({ limits: { notificationBytes: 4 << 20 } });
  const [slow, other] = [await openSocket(service.wsUrl), await openSocket(service.wsUrl)];
  await subscribe(slow, 'newHeads');
  const id = await subscribe(other, 'newHeads');
  slow.socket.pause();
  // More than the system's own buffers and the limit hold.
  const large = JSON.stringify('x'.repeat(1 << 20));
  for (let sent = 0; sent < 40; sent++) {
    node.notify(['newHeads'], large);
    expect(await other.next()).toMatchObject({ params: { subscription: id } });
  }
  slow.socket.resume();
  expect(await slow.closed).toEqual([1013, 'notifications are read too slowly']);
  expect(node.live).toEqual(['["newHeads"]']);
});

test('a notification that is nested too deeply, or that nobody subscribed to, is dropped', async () => {
  const { node, service } = await oneNode();
  const client = await openSocket(service.wsUrl);
  const id = await subscribe(client, 'newHeads');
  node.notify(['newHeads'], `${'['.repeat(5000)}${']'.repeat(5000)}`);
  node.broadcast('{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x77","result":1}}');
  node.broadcast('{"jsonrpc":"2.0","method":"eth_subscription","params":5}');
  node.broadcast('[]');
  node.notify(['newHeads'], head(1));
  expect(await client.next()).toEqual(notification(id, { number: '0x1' }));
});

describe('when the connection to the node ends', () => {
  test('everything is subscribed again, and clients notice nothing but what they missed', async () => {
    const { node, service } = await oneNode();
    const client = await openSocket(service.wsUrl);
    const ids = [await subscribe(client, 'newHeads'), await subscribe(client, 'logs')] as const;
    for (let round = 1; round < 3; round++) {
      node.drop();
      await node.until(() => node.live.length === 0);
      await node.until(() => node.live.length === 2);
      node.notify(['newHeads'], head(round));
      expect(await client.next()).toEqual(notification(ids[0], { number: hex(round) }));
    }
    node.notify(['logs', {}], '{"data":"0x"}');
    expect(await client.next()).toEqual(notification(ids[1], { data: '0x' }));
    expect(await client.ask(request('eth_unsubscribe', ids[0]))).toMatchObject({ result: true });
    await node.until(() => node.live.length === 1);
  });

  test('because the node sends something that is not JSON, it is made anew', async () => {
    const { node, service } = await oneNode();
    await subscribe(await openSocket(service.wsUrl), 'newHeads');
    node.broadcast('<html>');
    await node.until(() => node.connections === 2 && node.live.length === 1);
  });

  test('another node takes over', async () => {
    const [first, second] = [await liveNode('first'), await liveNode('second')];
    const service = await serviceOn([first, second]);
    const client = await openSocket(service.wsUrl);
    const id = await subscribe(client, 'newHeads');
    const [from, to] = first.live.length === 1 ? [first, second] : [second, first];
    await from.stop();
    await to.until(() => to.live.length === 1);
    to.notify(['newHeads'], head(7));
    expect(await client.next()).toEqual(notification(id, { number: '0x7' }));
  });

  test('a node whose WebSocket serves another chain is passed over', async () => {
    const [right, wrong] = [await liveNode('right'), await liveNode('wrong')];
    wrong.chainId = 5;
    const upstream = [
      { url: right.url, wsUrl: wrong.wsUrl },
      { url: `${right.url}/2`, wsUrl: right.wsUrl },
    ];
    const service = await startService({ networks: [{ name: 'mainnet', chainId: 1, upstream }] });
    await subscribe(await openSocket(service.wsUrl), 'newHeads');
    expect([wrong.subscribed, right.subscribed]).toEqual([[], ['["newHeads"]']]);
  });

  describe('the checks of the nodes', () => {
    beforeEach(fakeBeats);
    afterEach(() => {
      jest.useRealTimers();
    });

    /**
     * Lets all checks and pings happen again and again, until the condition holds. The client's answer to a ping
     * reaches the service before its next request, so the service does not take the client for gone.
     */
    async function checkUntil({ ask }: TestSocket, holds: () => boolean): Promise<void> {
      while (!holds()) {
        beat();
        await ask(request('eth_chainId'));
      }
    }

    test('leave a node that lags, if another does not', async () => {
      const [first, second] = [await liveNode('first'), await liveNode('second')];
      second.head = first.head - 50;
      const service = await serviceOn([first, second]);
      const lagging = async () =>
        (await (await fetch(`${service.operations}/readyz`)).text()).includes('["up","lagging"]');
      while (!(await lagging())) beat();
      const client = await openSocket(service.wsUrl);
      const id = await subscribe(client, 'newHeads');
      expect(first.live).toEqual(['["newHeads"]']);
      second.head = first.head + 50;
      await checkUntil(client, () => second.live.length === 1);
      second.notify(['newHeads'], head(7));
      expect(await client.next()).toEqual(notification(id, { number: '0x7' }));
      expect(first.live).toEqual([]);
    });

    test('end a connection that has gone silent', async () => {
      const node = new LiveNode('node');
      node.autoPong = false;
      await node.start();
      const service = await serviceOn([node]);
      const client = await openSocket(service.wsUrl);
      await subscribe(client, 'newHeads');
      await checkUntil(client, () => node.connections === 2);
      await node.until(() => node.live.length === 1);
    });
  });

  /** A feed of its own, which does not wait long between attempts. */
  const feedOf = (nodes: readonly LiveNode[]) => {
    const ranked = nodes.map(({ wsUrl, name }) => ({
      label: name,
      state: 'up',
      config: { wsUrl, headers: {}, timeoutMs: 5_000, answerBytes: 1 << 20 },
    }));
    const source: NodeSource = { ranked: () => ranked as unknown as ChainNode[], onChecked: () => undefined };
    return new Feed({ chainId: 1, name: 'mainnet' }, source, pino({ level: 'silent' }), 1);
  };

  test('clients are told once many attempts to reconnect have failed', async () => {
    const node = await liveNode('node');
    const feed = feedOf([node]);
    const ended = new Promise<void>((resolve) => {
      void feed.subscribe(parseSubscription(['newHeads']), { notify: () => undefined, ended: resolve });
    });
    await node.until(() => node.live.length === 1);
    await node.stop();
    await ended;
    feed.close();
  });

  test('a client is told if the next node does not offer its subscription', async () => {
    const node = await liveNode('node');
    const feed = feedOf([node]);
    let tellEnded: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (tellEnded = resolve));
    await feed.subscribe(parseSubscription(['newHeads']), { notify: () => undefined, ended: tellEnded });
    node.answer = () => {
      throw { code: -32601, message: 'no subscriptions here' } as unknown as Error;
    };
    node.drop();
    await ended;
    await expect(
      feed.subscribe(parseSubscription(['logs']), { notify: () => undefined, ended: () => undefined }),
    ).rejects.toThrow(RpcError);
    feed.close();
  });
});

/** What clients send for the logs of a contract, and for all logs; each as its source writes it. */
const FORMS: readonly (readonly [client: string, ...filters: object[]])[] = [
  // SubscribeFilterLogs always sends a range: of a query without one, and of the Watch functions that abigen writes.
  ['ethclient', { address: [ADDRESS], fromBlock: '0x0', toBlock: 'latest', topics: [[TOPIC]] }],
  ['ethclient before 1.11', { address: [ADDRESS], fromBlock: '0x0', toBlock: 'latest', topics: [[TOPIC], null] }],
  ['viem', { address: ADDRESS, topics: [TOPIC] }, { address: [ADDRESS], topics: [[TOPIC]] }],
  ['ethers', { address: ADDRESS, topics: [TOPIC] }, { address: ADDRESS, topics: [[TOPIC], null] }],
  ['web3.py', { address: ADDRESS, topics: [TOPIC] }, { address: [ADDRESS], topics: [[TOPIC]] }],
  ['web3.js', { address: ADDRESS, topics: [TOPIC], fromBlock: 'latest' }],
  [
    'alloy',
    { address: ADDRESS, topics: [TOPIC] },
    { fromBlock: 'latest', address: ADDRESS, topics: [TOPIC] },
    { fromBlock: 'finalized', toBlock: 'latest', address: [ADDRESS], topics: [[TOPIC]] },
  ],
];

test('what clients send for new logs of a contract is the same subscription', () => {
  const texts = FORMS.flatMap(([, ...filters]) =>
    filters.map((filter) => {
      const { topics, ...rest } = filter as { topics: unknown[] };
      const known = topics.filter((topic) => topic !== null);
      return [parseSubscription(['logs', filter]), parseSubscription(['logs', { ...rest, topics: known }])];
    }),
  );
  expect(new Set(texts.map(([, without]) => without!.params)).size).toBe(1);
  for (const [sent] of texts) expect(sent).not.toHaveProperty('from');
  for (const all of [{}, { address: null, topics: null }, { address: [], topics: [], fromBlock: '0x0', toBlock: null }])
    expect(parseSubscription(['logs', all]).params).toBe('["logs",{}]');
  expect(parseSubscription(['logs', { topics: [[null, TOPIC]] }]).params).toBe('["logs",{"topics":[null]}]');
});

test('a subscription that begins with a future block shares that of others, and gets no earlier log', async () => {
  const { node, service } = await oneNode();
  const client = await openSocket(service.wsUrl);
  const all = await subscribe(client, 'logs', {});
  const later = await subscribe(client, 'logs', { fromBlock: '0x10', toBlock: 'latest' });
  expect(node.subscribed).toEqual(['["logs",{}]']);
  const log = (blockNumber: unknown) => ({ blockNumber, data: '0x' });
  for (const number of ['0xf', '0x10', 'nonsense', null]) node.notify(['logs', {}], JSON.stringify(log(number)));
  expect(await client.next()).toEqual(notification(all, log('0xf')));
  for (const number of ['0x10', 'nonsense', null])
    for (const id of [all, later]) expect(await client.next()).toEqual(notification(id, log(number)));
});

test('whether the node is syncing is passed on as it says it', async () => {
  const { node, service } = await oneNode();
  const client = await openSocket(service.wsUrl);
  const id = await subscribe(client, 'syncing');
  expect(node.subscribed).toEqual(['["syncing"]']);
  const status = { syncing: true, status: { startingBlock: '0x0', currentBlock: '0x1', highestBlock: '0x2' } };
  for (const result of [status, false]) {
    node.notify(['syncing'], JSON.stringify(result));
    expect(await client.next()).toEqual(notification(id, result));
  }
  expect(await service.used()).toBe(15);
});
