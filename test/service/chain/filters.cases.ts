import { Admission } from '../../../src/service/admission/admission';
import { refusalOf, sharesOfKeys } from '../../../src/service/chain/shares';
import { ClientSubscriptions } from '../../../src/service/chain/subscriptions/client-subscriptions';
import type { Feed } from '../../../src/service/chain/subscriptions/feed';
import { parseSubscription } from '../../../src/service/chain/subscriptions/subscription';

const LIMITS = {
  keyPerSecond: 1e6,
  keyBurst: 1e6,
  keyRequests: 10,
  keySockets: 10,
  keyBytes: 100_000,
  allBytes: 1e6,
  keyAnswerBytes: 1,
  allAnswerBytes: 1,
};

test('filters of all WebSockets of a key count as its memory, as long as their subscriptions last', async () => {
  const admission = new Admission(sharesOfKeys(LIMITS), refusalOf);
  const feed = { subscribe: () => Promise.resolve(() => undefined) } as unknown as Feed;
  const open = (key: string) =>
    new ClientSubscriptions({
      limit: 100,
      memory: admission.client(key).memory.within(),
      maxWaiting: 1000,
      charge: () => Promise.resolve(),
      send: () => Promise.resolve(),
      failed: () => undefined,
      tooSlow: () => undefined,
      counted: () => undefined,
    });
  const address = Array.from({ length: 300 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`);
  const filter = parseSubscription(['logs', { address }]);
  const subscribe = (client: ClientSubscriptions) => client.forRequest().subscribe(feed, filter, Infinity);
  const sockets = [open('a'), open('a')] as const;
  const ids: string[] = [];
  let refused: unknown;
  for (let i = 0; refused === undefined && i < 20; i++)
    await subscribe(sockets[i % 2] ?? sockets[0]).then(
      (id) => ids.push(id),
      (error: unknown) => (refused = error),
    );
  expect(ids).toHaveLength(3);
  expect(refused).toMatchObject({ code: -32005, status: 429 });
  // Another key has its own, and what ends gives its memory back.
  await subscribe(open('b'));
  expect(sockets[0].forRequest().unsubscribe(ids[0] ?? '')).toBe(true);
  await subscribe(sockets[1]);
  for (const client of sockets) client.close();
  expect(admission.client('a').memory.held).toBe(0);
});

test('notifications that nobody reads count as memory of their key, on all its WebSockets together', async () => {
  const admission = new Admission(sharesOfKeys(LIMITS), refusalOf);
  const slow = new Set<ClientSubscriptions>();
  const notify: ((result: string) => void)[] = [];
  const feed = {
    subscribe: (_subscription: unknown, subscriber: { notify: (result: string) => void }) => {
      notify.push(subscriber.notify);
      return Promise.resolve(() => undefined);
    },
  } as unknown as Feed;
  const open = async (key: string) => {
    const client: ClientSubscriptions = new ClientSubscriptions({
      limit: 100,
      memory: admission.client(key).memory.within(),
      maxWaiting: 50_000,
      charge: () => Promise.resolve(),
      send: () => new Promise<never>(() => undefined),
      failed: () => undefined,
      tooSlow: () => slow.add(client),
      counted: () => undefined,
    });
    const request = client.forRequest();
    await request.subscribe(feed, parseSubscription(['newHeads']), Infinity);
    request.answered();
    return client;
  };
  const clients = await Promise.all(Array.from({ length: 64 }, () => open('a')));
  const other = await open('b');
  for (let i = 0; i < 10; i++) for (const each of notify) each('x'.repeat(4000));
  const { held } = admission.client('a').memory;
  // One for each may be more than there is room for.
  expect(held).toBeLessThan(100_000 + 64 * 4000);
  expect(slow.size).toBeGreaterThan(40);
  expect(slow.has(other)).toBe(false);
  for (const client of [...clients, other]) client.close();
  expect([admission.client('a').memory.held, admission.client('b').memory.held]).toEqual([0, 0]);
});
