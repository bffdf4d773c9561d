import { type RpcError } from '../../../src/service/chain/errors';
import { KeyLimits } from '../../../src/service/chain/key-limits';

const CONFIG = { keyPerSecond: 10, keyBurst: 20, keyRequests: 3, keySockets: 2, keyBytes: 100, allBytes: 150 };

/** Limits on a clock of their own. */
function setUp(config: Partial<typeof CONFIG> = {}) {
  let now = 0;
  const limits = new KeyLimits({ ...CONFIG, ...config }, () => now);
  return { limits, use: limits.of('a'), wait: (ms: number) => (now += ms) };
}

function refusalOf(act: () => void): Pick<RpcError, 'status' | 'code' | 'message' | 'retryAfter'> | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    const { status, code, message, retryAfter } = error as RpcError;
    return { status, code, message, retryAfter };
  }
}

const limited = (what: string, retryAfter: number) => ({
  status: 429,
  code: -32005,
  message: `limit exceeded: ${what}`,
  retryAfter,
});

test('a burst is admitted, then as many as the rate allows', () => {
  const { use, wait } = setUp();
  for (let count = 0; count < 20; count++) use.take(1);
  const refused = limited('10 requests per second for this key', 1);
  expect(refusalOf(() => use.take(1))).toEqual(refused);
  wait(99);
  expect(refusalOf(() => use.take(1))).toEqual(refused);
  wait(1);
  use.take(1);
  expect(refusalOf(() => use.take(1))).toEqual(refused);
  wait(1e9);
  use.take(20);
  expect(refusalOf(() => use.take(1))).toEqual(refused);
});

test('a batch needs all its items at once, and is told when to come back', () => {
  const { use, wait } = setUp();
  use.take(15);
  expect(refusalOf(() => use.take(20))?.retryAfter).toBe(2);
  // A refusal takes nothing.
  use.take(5);
  wait(2000);
  use.take(20);
  // More than the burst can never be there.
  wait(2000);
  use.take(1000);
});

test('requests in progress, WebSockets and bytes are counted until they end', () => {
  const { use } = setUp();
  for (let count = 0; count < 3; count++) use.enter();
  expect(refusalOf(() => use.enter())).toEqual(limited('3 requests of this key in progress', 1));
  use.leave();
  use.enter();
  use.openSocket();
  use.openSocket();
  expect(refusalOf(() => use.openSocket())).toEqual(limited('2 WebSockets of this key', 1));
  use.closeSocket();
  use.openSocket();
  use.hold(100);
  expect(refusalOf(() => use.hold(1))).toEqual(limited('100 bytes of large requests of this key in progress', 1));
  use.release(100);
  use.hold(100);
});

test('keys share the memory for large requests, and nothing else', () => {
  const { limits, use } = setUp();
  use.hold(100);
  const other = limits.of('b');
  expect(refusalOf(() => other.hold(51))).toMatchObject({ status: 503, code: -32603 });
  other.hold(50);
  other.take(20);
  use.take(20);
  expect(limits.of('b')).toBe(other);
});
