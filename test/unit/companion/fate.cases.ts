import { type Hex } from 'viem';

import { type Activity, type Fate } from '../../../src/companion/model/activity';
import { isOpen, withFates } from '../../../src/companion/model/fate';
import { type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { ALICE, BOB, DEVNET } from '../../support/companion/samples';

const HASH: Hex = `0x${'1'.repeat(64)}`;
const OTHER: Hex = `0x${'2'.repeat(64)}`;

const entry = (signed: Activity['signed'], change: Partial<Activity> = {}): Activity => ({
  account: ALICE.toLowerCase(),
  origin: 'metamask',
  at: 0,
  chainId: DEVNET.chainId,
  ...(signed && { signed }),
  ...change,
});
const TRANSACTION = entry({ method: 'eth_signTransaction', hash: HASH });
const OPERATION = entry({ method: 'eth_signUserOperation', hash: HASH });

const receipt = (change: object = {}) => ({
  blockNumber: '0x6',
  blockHash: HASH,
  transactionHash: HASH,
  transactionIndex: '0x0',
  from: ALICE.toLowerCase(),
  to: BOB,
  status: '0x1',
  type: '0x2',
  contractAddress: null,
  cumulativeGasUsed: '0x64',
  gasUsed: '0x64',
  effectiveGasPrice: '0x3',
  logsBloom: '0x',
  logs: [],
  ...change,
});
const pending = (change: object = {}) => ({
  hash: HASH,
  from: ALICE.toLowerCase(),
  to: BOB,
  nonce: '0x0',
  gas: '0x5208',
  value: '0x0',
  input: '0x',
  type: '0x2',
  blockHash: null,
  blockNumber: null,
  transactionIndex: null,
  ...change,
});
const operation = (change: object = {}) => ({
  userOpHash: HASH,
  sender: ALICE,
  nonce: '0x0',
  success: true,
  actualGasCost: '0x1',
  actualGasUsed: '0x1',
  logs: [],
  receipt: receipt({ from: BOB }),
  ...change,
});

describe('what became of what was signed', () => {
  const answers = {
    receipt: null as object | null,
    transaction: null as object | null,
    operation: null as object | null,
  };
  let asked: string[] = [];
  let node: SimulatedNode;
  beforeAll(async () => {
    const answer = (name: keyof typeof answers) => () => {
      asked.push(name);
      return answers[name] as never;
    };
    node = await startSimulatedNode({
      eth_getTransactionReceipt: answer('receipt'),
      eth_getTransactionByHash: answer('transaction'),
      eth_getUserOperationReceipt: answer('operation'),
    });
  });
  afterAll(() => node.stop());
  beforeEach(() => {
    Object.assign(answers, { receipt: null, transaction: null, operation: null });
    asked = [];
  });
  const fatesOf = async (list: readonly Activity[], known = new Map<Hex, Fate>()) => {
    const chain = { ...DEVNET, rpcUrl: node.url, bundlerUrl: node.url };
    return (await withFates(list, [chain], known)).map(({ fate }) => fate);
  };

  it('follows a transaction from nowhere to its block', async () => {
    const known = new Map<Hex, Fate>();
    expect(await fatesOf([TRANSACTION], known)).toEqual(['unseen']);
    answers.transaction = pending();
    expect(await fatesOf([TRANSACTION], known)).toEqual(['waiting']);
    answers.receipt = receipt();
    expect(await fatesOf([TRANSACTION], known)).toEqual(['confirmed']);
    const before = asked.length;
    expect(await fatesOf([TRANSACTION], known)).toEqual(['confirmed']);
    expect(asked).toHaveLength(before);
  });

  it('says that a transaction or an operation failed', async () => {
    answers.receipt = receipt({ status: '0x0' });
    answers.operation = operation({ success: false });
    expect(await fatesOf([TRANSACTION, { ...OPERATION, signed: { ...OPERATION.signed!, hash: OTHER } }])).toEqual([
      'failed',
      'unseen',
    ]);
    expect(await fatesOf([OPERATION])).toEqual(['failed']);
    answers.operation = operation();
    expect(await fatesOf([OPERATION])).toEqual(['confirmed']);
  });

  it.each([
    ['a receipt of another transaction', { receipt: receipt({ transactionHash: OTHER }) }],
    ['a receipt of somebody else', { receipt: receipt({ from: BOB }) }],
    ['another transaction', { transaction: pending({ hash: OTHER }) }],
    ["somebody else's transaction", { transaction: pending({ from: BOB }) }],
  ])('does not take %s for this one', async (_what, lie) => {
    Object.assign(answers, lie);
    expect(await fatesOf([TRANSACTION])).toEqual(['unseen']);
  });

  it.each([
    ['another operation', operation({ userOpHash: OTHER })],
    ["somebody else's operation", operation({ sender: BOB })],
  ])('does not take %s for this one', async (_what, lie) => {
    answers.operation = lie;
    expect(await fatesOf([OPERATION])).toEqual(['unseen']);
  });

  it('asks only about what can be sent, on networks that are set up', async () => {
    const others = [
      entry({ method: 'personal_sign' }),
      entry({ method: 'eth_signTransaction' }),
      { ...TRANSACTION, chainId: 'eip155:5' },
    ];
    expect(await fatesOf(others)).toEqual([undefined, undefined, undefined]);
    expect(asked).toEqual([]);
  });

  it('asks about the 50 most recent ones', async () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      entry({ method: 'eth_signUserOperation', hash: `0x${String(index).padStart(64, '0')}` }),
    );
    expect((await fatesOf(many)).filter((fate) => fate === 'unseen')).toHaveLength(50);
    expect(asked).toHaveLength(50);
  });

  it('keeps what it knew when a node does not respond', async () => {
    const known = new Map<Hex, Fate>([[HASH, 'waiting']]);
    const silent = { ...DEVNET, rpcUrl: 'http://127.0.0.1:1' };
    expect((await withFates([TRANSACTION], [silent], known)).map(({ fate }) => fate)).toEqual(['waiting']);
    expect((await withFates([TRANSACTION], [silent], new Map())).map(({ fate }) => fate)).toEqual([undefined]);
  });
});

it('is looked for again while it waits, and for an hour if nobody has seen it', () => {
  const open = (fate: Fate | undefined, now: number) => isOpen({ ...TRANSACTION, ...(fate && { fate }) }, now);
  expect([open('waiting', 10_000_000_000), open('unseen', 3_599_999), open('unseen', 3_600_000)]).toEqual([
    true,
    true,
    false,
  ]);
  expect([open('confirmed', 1), open('failed', 1), open(undefined, 1)]).toEqual([false, false, false]);
});
