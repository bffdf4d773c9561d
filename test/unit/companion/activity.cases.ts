import {
  type Activity,
  chainOf,
  isPending,
  siteName,
  statusOf,
  tracesOf,
  whatOf,
} from '../../../src/companion/model/activity';
import { ALICE, DEVNET } from '../../support/companion/samples';

const HASH = `0x${'1'.repeat(64)}` as const;
const OTHER = `0x${'2'.repeat(64)}` as const;
const base = { account: ALICE, origin: 'https://app.example', at: 0 };
const signed = (method: string, hash?: typeof HASH): Activity => ({
  ...base,
  signed: { method, ...(hash !== undefined && { hash }) },
});
const sent = (change: Partial<NonNullable<Activity['sent']>> = {}): Activity => ({
  ...base,
  chainId: DEVNET.chainId,
  sent: { id: '0x1', calls: 1, status: 100, isUnclear: false, transactions: [], ...change },
});

it.each([
  [signed('personal_sign'), 'Signed a message'],
  [signed('eth_signUserOperation'), 'Signed a user operation'],
  [signed('eth_signSomethingNew'), 'Signed (eth_signSomethingNew)'],
  [sent(), 'Sent a transaction'],
  [sent({ calls: 3 }), 'Sent 3 calls'],
])('says what was done: %j', (activity, what) => {
  expect(whatOf(activity)).toBe(what);
});

it.each([
  [signed('personal_sign'), 'Signed', 'success'],
  [sent(), 'Sent', 'wait'],
  [sent({ isSeen: true, isUnclear: true }), 'Pending', 'wait'],
  [sent({ isUnclear: true }), 'Unknown', 'wait'],
  [sent({ status: 200 }), 'Confirmed', 'success'],
  [sent({ status: 400 }), 'Not included', 'error'],
  [sent({ status: 500 }), 'Failed', 'error'],
  [sent({ status: 600 }), 'Partly failed', 'error'],
])('says how it ended: %j', (activity, badge, tone) => {
  expect(statusOf(activity)).toMatchObject({ badge, tone });
});

it.each([
  ['unseen', 'Signed a transaction', 'Signed', 'success'],
  ['waiting', 'Sent a transaction', 'Pending', 'wait'],
  ['confirmed', 'Sent a transaction', 'Confirmed', 'success'],
  ['failed', 'Sent a transaction', 'Failed', 'error'],
] as const)('says what the network did with a signature: %s', (fate, what, badge, tone) => {
  const activity = { ...signed('eth_signTransaction', HASH), fate };
  expect([whatOf(activity), statusOf(activity)]).toEqual([what, expect.objectContaining({ badge, tone })]);
});

it.each([
  ['metamask', 'Asked through MetaMask'],
  ['https://metamask', 'metamask'],
  ['http://localhost:8000', 'This page'],
  ['https://app.example', 'app.example'],
  ['http://app.example', 'http://app.example'],
  ['Unknown', 'Unknown site'],
])('says who asked: %s', (origin, name) => {
  expect(siteName(origin, 'http://localhost:8000')).toBe(name);
});

it('is pending only after sending, and until its status is final', () => {
  expect([signed('personal_sign'), sent(), sent({ status: 200 })].map(isPending)).toEqual([false, true, false]);
});

it('leads to the transactions; before there are any, to the user operation', () => {
  expect(tracesOf(sent({ userOperation: HASH }))).toEqual([{ kind: 'operation', hash: HASH }]);
  expect(tracesOf(sent({ userOperation: HASH, transactions: [OTHER] }))).toEqual([
    { kind: 'operation', hash: HASH },
    { kind: 'transaction', hash: OTHER },
  ]);
  expect(tracesOf(sent())).toEqual([]);
  expect(tracesOf(signed('eth_signTransaction', HASH))).toEqual([{ kind: 'transaction', hash: HASH }]);
  expect(tracesOf(signed('eth_signUserOperation', HASH))).toEqual([{ kind: 'operation', hash: HASH }]);
  expect(tracesOf(signed('personal_sign'))).toEqual([]);
});

it('knows its network while that is set up', () => {
  expect(chainOf(sent(), [DEVNET])).toBe(DEVNET);
  expect(chainOf(sent(), [])).toBeUndefined();
  expect(chainOf(signed('personal_sign'), [DEVNET])).toBeUndefined();
});
