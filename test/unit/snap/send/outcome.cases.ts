import { numberToHex, pad } from 'viem';

import { servicesOf } from '../../../../src/snap/network/services';
import { type Batch } from '../../../../src/snap/send/batch';
import { outcomeOf } from '../../../../src/snap/send/outcome';
import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { ServiceFailedError } from '../../../../src/core/errors';
import { type Hex } from '../../../../src/core/eth/bytes';
import { bundleReceipt, type Executed, operationEvent } from '../../../support/operation-event';
import { NoAnswer, NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../../support/simulated-node';

const HASH: Hex = `0x${'12'.repeat(32)}`;
const OTHER: Hex = `0x${'13'.repeat(32)}`;
const THIRD: Hex = `0x${'14'.repeat(32)}`;
const BUNDLE: Hex = `0x${'15'.repeat(32)}`;
const BLOCK = pad('0xbb');
const ACCOUNT: Hex = `0x${'ac'.repeat(20)}`;
const ENTRY_POINT = ENTRY_POINTS['0.7'];
const MINUTE = 60_000;

const batch = (sent: Batch['sent']): Batch => ({
  id: 'a',
  origin: 'https://dapp.example',
  account: ACCOUNT,
  chainId: 'eip155:1',
  at: 0,
  calls: 2,
  atomic: sent.as === 'operation',
  sent,
  status: 100,
});

let node: SimulatedNode;
let bundler: SimulatedNode;
beforeAll(async () => {
  node = await startSimulatedNode();
  bundler = await startSimulatedNode();
});
afterAll(async () => {
  await node.stop();
  await bundler.stop();
});

const services = () =>
  servicesOf({
    chainId: 'eip155:1',
    entryPoint: ENTRY_POINT,
    entryPointVersion: '0.7',
    rpcUrl: node.url,
    bundlerUrl: bundler.url,
  });
const unanswered = () => {
  throw new NoAnswer();
};

describe('what became of a user operation', () => {
  const operation = batch({ as: 'operation', hash: HASH, entryPoint: ENTRY_POINT, nonce: '0x5', since: '0x10' });
  const itself: Executed = { entryPoint: ENTRY_POINT, hash: HASH, sender: ACCOUNT, nonce: 5n };
  const bundlersReceipt = (change: object = {}) => ({
    userOpHash: HASH,
    sender: ACCOUNT,
    nonce: '0x5',
    success: true,
    actualGasUsed: '0x1',
    actualGasCost: '0x1',
    logs: [],
    receipt: { transactionHash: BUNDLE, blockNumber: '0x11' },
    ...change,
  });

  /** @param executed - What the network executed with the account's nonce 5. */
  function network(executed: readonly Executed[], change: Record<string, () => unknown> = {}): void {
    Object.assign(node.answers, {
      eth_call: () => pad(numberToHex(executed.length === 0 ? 5 : 6)),
      eth_getLogs: () => executed.map((one) => ({ ...operationEvent(one), transactionHash: BUNDLE })),
      eth_getTransactionReceipt: () => bundleReceipt(BUNDLE, ...executed),
      ...change,
    });
    bundler.answers.eth_getUserOperationReceipt = () => null;
  }
  const outcome = (now = 11 * MINUTE, of = operation) => outcomeOf(of, services(), now);
  const unknown = { status: 100, receipts: [], remark: 'nonce-used' };

  it('is pending while its nonce is unused, however old it is and whatever the bundler says', async () => {
    network([]);
    for (const says of [() => null, () => bundlersReceipt(), () => bundlersReceipt({ success: false }), unanswered]) {
      bundler.answers.eth_getUserOperationReceipt = says;
      expect(await outcome(MINUTE)).toEqual({ status: 100, receipts: [], isOpen: true });
      for (const now of [11 * MINUTE, 25 * 60 * MINUTE])
        expect(await outcome(now)).toEqual({ status: 100, receipts: [], isOpen: true, remark: 'not-found' });
    }
  });

  it('is seen while the bundler has it, and only while its nonce is unused', async () => {
    network([]);
    bundler.answers.eth_getUserOperationByHash = () => ({ userOperation: {} });
    expect(await outcome()).toEqual({ status: 100, receipts: [], isOpen: true, isSeen: true });
    network([{ ...itself, hash: OTHER }]);
    expect(await outcome()).toMatchObject({ status: 400, remark: 'replaced' });
    delete bundler.answers.eth_getUserOperationByHash;
  });

  it.each<[string, () => unknown]>([
    ['has forgotten it', () => null],
    ['is gone', unanswered],
    ['says that it failed', () => bundlersReceipt({ success: false })],
    ['says so in words', () => bundlersReceipt({ success: 'false' })],
    ['leaves out the transaction', () => bundlersReceipt({ receipt: undefined })],
    ['names another transaction', () => bundlersReceipt({ receipt: { transactionHash: OTHER, blockNumber: '0x1' } })],
  ])('is confirmed by the event of the network, although the bundler %s', async (_what, says) => {
    network([itself]);
    bundler.answers.eth_getUserOperationReceipt = says;
    const receipt = { logs: [], status: '0x1', blockHash: BLOCK, blockNumber: '0x11', gasUsed: '0x5208' };
    expect(await outcome()).toEqual({
      status: 200,
      receipts: [{ ...receipt, transactionHash: BUNDLE }],
      isOpen: false,
    });
  });

  it('failed if the event says so, although the bundler says that it succeeded', async () => {
    network([{ ...itself, success: false }]);
    bundler.answers.eth_getUserOperationReceipt = () => bundlersReceipt();
    expect(await outcome()).toMatchObject({ status: 500, receipts: [{ status: '0x0' }] });
  });

  it('is found through the bundler if the node does not search its logs, and only by what the node shows', async () => {
    const noLogs = {
      eth_getLogs: () => {
        throw new NodeRefusal('query exceeds max block range 10', -32602);
      },
    };
    network([itself], noLogs);
    expect(await outcome()).toMatchObject(unknown);
    bundler.answers.eth_getUserOperationReceipt = () => bundlersReceipt();
    expect(await outcome()).toMatchObject({ status: 200 });
    // The transaction is there, but it includes another operation.
    network([{ ...itself, hash: OTHER }], noLogs);
    bundler.answers.eth_getUserOperationReceipt = () => bundlersReceipt();
    expect(await outcome()).toMatchObject(unknown);
    // An event of a contract that is not the entry point.
    network([{ ...itself, entryPoint: ACCOUNT }], noLogs);
    bundler.answers.eth_getUserOperationReceipt = () => bundlersReceipt();
    expect(await outcome()).toMatchObject(unknown);
    // The transaction is not there.
    network([itself], { ...noLogs, eth_getTransactionReceipt: () => null });
    bundler.answers.eth_getUserOperationReceipt = () => bundlersReceipt();
    expect(await outcome()).toMatchObject(unknown);
  });

  it('is not included only if the network shows which other operation used its nonce', async () => {
    network([{ ...itself, hash: OTHER }]);
    expect(await outcome()).toEqual({ status: 400, receipts: [], remark: 'replaced', isOpen: false });
    // Operations with other nonces show nothing.
    network([{ ...itself, hash: OTHER, nonce: 4n }]);
    expect(await outcome()).toMatchObject(unknown);
  });

  it('is not decided by logs that the node was not asked for', async () => {
    const other = operationEvent({ ...itself, hash: OTHER });
    const unasked = [
      operationEvent({ ...itself, hash: OTHER, sender: `0x${'ad'.repeat(20)}` }),
      { ...other, address: ACCOUNT },
      { ...other, topics: [BLOCK, ...other.topics.slice(1)] },
    ].map((log) => ({ ...log, transactionHash: THIRD }));
    network([itself], { eth_getLogs: () => unasked });
    expect(await outcome()).toMatchObject(unknown);
    const event = { ...operationEvent(itself), transactionHash: BUNDLE };
    network([itself], { eth_getLogs: () => [...unasked, event] });
    expect(await outcome()).toMatchObject({ status: 200 });
  });

  it('is unknown if its nonce is used and nobody says by what, and nothing is remarked in the first minute', async () => {
    network([itself], { eth_getLogs: () => [] });
    expect(await outcome(25 * 60 * MINUTE)).toMatchObject(unknown);
    expect(await outcome(MINUTE)).toEqual({ status: 100, receipts: [], isOpen: false });
    // Stored by an earlier version, without the block.
    const { since: _since, ...sent } = operation.sent as { since?: Hex } & Batch['sent'];
    expect(await outcome(11 * MINUTE, { ...operation, sent })).toMatchObject(unknown);
  });

  it('has only its own logs', async () => {
    const log = (digit: string) => ({ address: `0x${digit.repeat(40)}`, data: '0x', topics: [] });
    const before = { ...log('0'), address: ENTRY_POINT, topics: [`0x${'be'.repeat(32)}`] };
    const execution = '0xbb47ee3e183a558b1a2ff0874b079f3fc5478b7454eacf2bfc5af2ff5878f972';
    const logs = [
      log('1'),
      { ...before, topics: [execution] },
      log('2'),
      operationEvent({ ...itself, hash: OTHER, sender: `0x${'ad'.repeat(20)}` }),
      log('3'),
      before,
      operationEvent(itself),
      log('4'),
    ];
    network([itself], { eth_getTransactionReceipt: () => ({ ...bundleReceipt(BUNDLE), logs }) });
    expect((await outcome()).receipts[0]?.logs).toEqual([log('3'), before]);
  });

  it('has the coins that the network logged during its execution (EIP-7708), not those of its validation', async () => {
    const coins = (digit: string) => ({
      address: `0x${'f'.repeat(39)}e`,
      data: pad('0x1'),
      topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', pad(ACCOUNT), pad(`0x${digit}`)],
    });
    const execution = '0xbb47ee3e183a558b1a2ff0874b079f3fc5478b7454eacf2bfc5af2ff5878f972';
    const before = { address: ENTRY_POINT, data: '0x', topics: [execution] };
    const logs = [coins('1'), before, coins('2'), coins('2'), operationEvent(itself), coins('3')];
    network([itself], { eth_getTransactionReceipt: () => ({ ...bundleReceipt(BUNDLE), logs }) });
    expect(await outcome()).toMatchObject({ status: 200, receipts: [{ logs: [coins('2'), coins('2')] }] });
  });

  it('is not decided by a node that does not answer', async () => {
    network([itself], { eth_call: unanswered });
    await expect(outcome()).rejects.toThrow(ServiceFailedError);
    network([itself], { eth_getTransactionReceipt: unanswered });
    await expect(outcome()).rejects.toThrow(ServiceFailedError);
  });
});

describe('what became of transactions', () => {
  const transactions = (unsent: number, ...hashes: Hex[]) =>
    batch({
      as: 'transactions',
      items: hashes.map((hash, index) => ({ hash, nonce: numberToHex(5 + index) })),
      unsent,
    });

  type Chain = {
    /** The status of each included transaction, if the node shows its receipt. */
    readonly included?: Readonly<Record<Hex, number>>;
    /** The transactions of each block from 0x100 on, one a block, whoever sent them. The account's first nonce is 5. */
    readonly blocks?: readonly (Hex | 'nothing')[];
    /** The oldest block whose state the node keeps. */
    readonly oldest?: number;
  };
  function network({ included = {}, blocks = [], oldest = 0 }: Chain): void {
    const latest = 0x100 + blocks.length - 1;
    Object.assign(node.answers, {
      eth_blockNumber: () => numberToHex(latest),
      eth_getTransactionCount: ([, block]: readonly string[]) => {
        const at = block === 'latest' ? latest : Number(block);
        if (at < oldest) throw new NodeRefusal('missing trie node', -32000);
        return numberToHex(5 + blocks.filter((hash, index) => hash !== 'nothing' && 0x100 + index <= at).length);
      },
      eth_getBlockByNumber: ([block]: readonly string[]) => ({
        transactions: blocks.filter((hash, index) => hash !== 'nothing' && 0x100 + index === Number(block)),
      }),
      eth_getTransactionReceipt: ([hash]: readonly Hex[]) =>
        included[hash!] === undefined ? null : { ...bundleReceipt(hash!), logs: [], status: included[hash!] },
    });
  }
  const outcome = (of: Batch, now = 11 * MINUTE) => outcomeOf(of, services(), now);

  it.each<[number, Batch, Chain]>([
    [100, transactions(0, HASH, THIRD), { included: { [HASH]: 1 }, blocks: [HASH] }],
    [200, transactions(0, HASH, THIRD), { included: { [HASH]: 1, [THIRD]: 1 } }],
    [600, transactions(1, HASH), { included: { [HASH]: 1 } }],
    [600, transactions(0, HASH, THIRD), { included: { [HASH]: 0, [THIRD]: 1 } }],
    [500, transactions(0, HASH, THIRD), { included: { [HASH]: 0, [THIRD]: 0 } }],
    [600, transactions(0, HASH, THIRD), { included: { [HASH]: 1 }, blocks: [HASH, OTHER] }],
  ])('%d', async (status, sent, chain) => {
    network(chain);
    expect(await outcome(sent)).toMatchObject({ status });
  });

  it('they are pending while their nonce is unused, however old they are', async () => {
    network({});
    for (const now of [11 * MINUTE, 25 * 60 * MINUTE])
      expect(await outcome(transactions(0, HASH), now)).toEqual({
        status: 100,
        receipts: [],
        isOpen: true,
        remark: 'not-found',
      });
  });

  const nothing = (blocks: number) => Array.from({ length: blocks }, () => 'nothing' as const);
  it.each([0, 1, 2, 3, 7, 8, 9, 50])(
    'they are not included only if the block that used their nonce shows it (%d blocks later)',
    async (later) => {
      const blocks = [...nothing(9), OTHER, ...nothing(later)];
      network({ blocks });
      expect(await outcome(transactions(0, HASH))).toEqual({
        status: 400,
        receipts: [],
        remark: 'replaced',
        isOpen: false,
      });
      expect(node.asked.filter(({ method }) => method === 'eth_getTransactionCount').length).toBeGreaterThan(1);
      // The block has it, although the node shows no receipt.
      network({ blocks: [...nothing(9), HASH, ...nothing(later)] });
      expect(await outcome(transactions(0, HASH))).toMatchObject({ status: 100, remark: 'nonce-used' });
    },
  );

  it('they are unknown if the node has forgotten the state of that block', async () => {
    network({ blocks: [...nothing(9), OTHER, ...nothing(50)], oldest: 0x120 });
    expect(await outcome(transactions(0, HASH))).toMatchObject({ status: 100, remark: 'nonce-used' });
  });

  it('only the transaction and its receipt are asked for in the first minute, and nothing is remarked', async () => {
    network({ blocks: [OTHER] });
    node.asked.length = 0;
    expect(await outcome(transactions(0, HASH), MINUTE)).toEqual({ status: 100, receipts: [], isOpen: false });
    expect(node.asked.map(({ method }) => method)).toEqual(['eth_getTransactionReceipt', 'eth_getTransactionByHash']);
  });

  it('they are seen while the node has them, and dropped transactions, or ones of another node, are not', async () => {
    const has = (hash: Hex) => ({ eth_getTransactionByHash: () => ({ hash, blockNumber: null }) });
    network({});
    Object.assign(node.answers, has(HASH));
    for (const now of [MINUTE, 11 * MINUTE])
      expect(await outcome(transactions(0, HASH), now)).toMatchObject({ status: 100, isSeen: true });
    // One of two is not all of them.
    expect(await outcome(transactions(0, HASH, THIRD))).not.toHaveProperty('isSeen');
    // It shows another transaction.
    Object.assign(node.answers, has(OTHER));
    expect(await outcome(transactions(0, HASH))).toMatchObject({ remark: 'not-found' });
    // It has dropped what it accepted, or never heard of it.
    node.answers.eth_getTransactionByHash = () => null;
    expect(await outcome(transactions(0, HASH))).toEqual({
      status: 100,
      receipts: [],
      isOpen: true,
      remark: 'not-found',
    });
    expect(await outcome(transactions(0, HASH), MINUTE)).not.toHaveProperty('remark');
  });

  it('they are replaced although the pool of the node still has them', async () => {
    network({ blocks: ['nothing', OTHER] });
    node.answers.eth_getTransactionByHash = () => ({ hash: HASH, blockNumber: null });
    expect(await outcome(transactions(0, HASH))).toMatchObject({ status: 400, remark: 'replaced' });
  });
});
