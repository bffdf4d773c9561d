import { type RpcError } from '../../../src/service/chain/errors';
import { Admission } from '../../../src/service/admission/admission';
import { refusalOf as refuse, sharesOfKeys } from '../../../src/service/chain/shares';

const CONFIG = {
  keyPerSecond: 10,
  keyBurst: 20,
  keyRequests: 3,
  keySockets: 2,
  keyBytes: 100,
  allBytes: 150,
  keyAnswerBytes: 1,
  allAnswerBytes: 1,
};

/** Limits on a clock of their own. */
function setUp(config: Partial<typeof CONFIG> = {}) {
  let now = 0;
  const admission = new Admission(sharesOfKeys({ ...CONFIG, ...config }), refuse, { now: () => now });
  return { admission, client: admission.client('a'), wait: (ms: number) => (now += ms) };
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
  const { client, wait } = setUp();
  for (let count = 0; count < 20; count++) client.count(1);
  const refused = limited('10 requests per second for this key', 1);
  expect(refusalOf(() => client.count(1))).toEqual(refused);
  wait(99);
  expect(refusalOf(() => client.count(1))).toEqual(refused);
  wait(1);
  client.count(1);
  expect(refusalOf(() => client.count(1))).toEqual(refused);
  wait(1e9);
  client.count(20);
  expect(refusalOf(() => client.count(1))).toEqual(refused);
});

test('a batch needs all its items at once, and is told when to come back', () => {
  const { client, wait } = setUp();
  client.count(15);
  expect(refusalOf(() => client.count(20))?.retryAfter).toBe(2);
  // A refusal takes nothing.
  client.count(5);
  wait(2000);
  client.count(20);
  // More than the burst can never be there, so that a full bucket is enough; the rate is that of all of it.
  wait(2000);
  client.count(1000);
  expect(refusalOf(() => client.count(1))?.retryAfter).toBe(99);
});

test('requests in progress, WebSockets and bytes are counted until they end', () => {
  const { client } = setUp();
  const [first] = [client.enter(), client.enter(), client.enter()];
  expect(refusalOf(() => client.enter())).toEqual(limited('3 requests of this key in progress', 1));
  first?.leave();
  first?.leave();
  client.enter();
  expect(refusalOf(() => client.enter())).toEqual(limited('3 requests of this key in progress', 1));
  const [close] = [client.connect(), client.connect()];
  expect(refusalOf(() => client.connect())).toEqual(limited('2 WebSockets of this key', 1));
  close?.();
  client.connect();
  client.memory.charge(100);
  expect(refusalOf(() => client.memory.charge(1))).toEqual(
    limited('100 bytes of large requests of this key in progress', 1),
  );
  client.memory.give(100);
  client.memory.charge(100);
});

test('keys share the memory for large requests, and nothing else', () => {
  const { admission, client } = setUp();
  client.memory.charge(100);
  const other = admission.client('b');
  expect(refusalOf(() => other.memory.charge(51))).toMatchObject({ status: 503, code: -32603 });
  other.memory.charge(50);
  other.count(20);
  client.count(20);
  expect(admission.client('b')).toBe(other);
});
