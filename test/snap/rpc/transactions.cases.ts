import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';
import { type Hex, keccak256, parseTransaction, recoverTransactionAddress } from 'viem';

import { DAPP, installForDapps } from '../../support/dapp';
import { ALICE, BOB, ME } from '../../support/explaining';
import { flat } from '../../support/screen-text';
import { NodeRefusal, type SimulatedNode } from '../../support/simulated-node';
import { useEmptiedSnap } from '../../support/wallet/emptied';
import { connectedTo, startTakingNode, takenBy } from './sending';

/** A fee that exceeds 2^256 with a gas limit of 16. */
const TOO_MUCH = `0x1${'0'.repeat(63)}`;

const start = useEmptiedSnap(installForDapps);

let node: SimulatedNode;
beforeEach(async () => {
  node = await startTakingNode();
});
afterEach(() => node.stop());

/** A connected page. Only the home page shows what earlier tests have sent. */
const connected = async () => connectedTo(node, await start({ mayKeep: ['batches'] }));

describe('eth_sendTransaction', () => {
  it('fills in nonce, gas and fees, shows the transaction, and sends what was signed', async () => {
    const { dapp } = await connected();
    const request = dapp('eth_sendTransaction', [{ from: ME, to: ALICE, value: '0x1' }]);
    const screen = await request.getInterface();
    for (const part of [
      `Site ${DAPP}`,
      ALICE,
      'Chain ID 31337',
      'Nonce 5',
      'Max fee per gas 3 gwei',
      'Gas limit 25200',
    ])
      expect(flat(screen.content)).toContain(part);
    expect(takenBy(node)).toEqual([]);
    await screen.ok();
    const [raw] = [...takenBy(node), ...(await request.then(() => takenBy(node)))].slice(-1);
    expect((await request).response).toEqual({ result: keccak256(raw!) });
    expect(parseTransaction(raw!)).toMatchObject({
      type: 'eip1559',
      chainId: 31337,
      nonce: 5,
      gas: 25_200n,
      maxFeePerGas: 3_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      to: ALICE.toLowerCase(),
      value: 1n,
    });
    expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(ME);
  });

  it('sends nothing if the user rejects it', async () => {
    const { dapp } = await connected();
    const request = dapp('eth_sendTransaction', [{ from: ME, to: ALICE }]);
    await (await request.getInterface()).cancel();
    expect((await request).response.error).toMatchObject({ code: 4001 });
    expect(takenBy(node)).toEqual([]);
  });

  it.each<[string, object, Record<string, unknown>]>([
    ['a gas price makes it a legacy one', { gasPrice: '0x77359400' }, { type: 'legacy', gasPrice: 2_000_000_000n }],
    [
      'with an access list, one of EIP-2930',
      { gasPrice: '0x1', accessList: [{ address: BOB, storageKeys: [] }] },
      { type: 'eip2930' },
    ],
    [
      'what is given holds',
      { nonce: '0x9', gas: '0x7530', maxFeePerGas: '0x64', maxPriorityFeePerGas: '0x1' },
      { nonce: 9, gas: 30_000n, maxFeePerGas: 100n, maxPriorityFeePerGas: 1n },
    ],
    [
      'a tip alone is added to the base fee',
      { maxPriorityFeePerGas: '0x1' },
      { maxFeePerGas: 2_000_000_001n, maxPriorityFeePerGas: 1n },
    ],
    ['a tip is not above the most', { maxFeePerGas: '0x64' }, { maxFeePerGas: 100n, maxPriorityFeePerGas: 100n }],
    ['input is data', { input: '0x1234' }, { data: '0x1234' }],
  ])('%s', async (_name, fields, expected) => {
    const { approve } = await connected();
    expect((await approve('eth_sendTransaction', [{ from: ME, to: ALICE, ...fields }])).error).toBeUndefined();
    expect(parseTransaction(takenBy(node)[0]!)).toMatchObject(expected);
  });

  it('rejects a malformed access list, naming the field, without contacting the node or showing a dialog', async () => {
    const { ask } = await connected();
    for (const [accessList, field] of [
      [[{ address: BOB, storageKeys: ['0x1'] }], 'transaction.accessList[0].storageKeys[0]'],
      [[{ address: BOB }], 'transaction.accessList[0].storageKeys'],
      [[[[[1]]]], 'transaction.accessList[0].address'],
    ] as const)
      expect((await ask('eth_sendTransaction', [{ from: ME, to: ALICE, accessList }] as never)).error).toMatchObject({
        code: -32602,
        data: { field },
      });
    expect(node.asked).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      'nonce',
      { nonce: '0xffffffffffffffff' },
      'transaction.nonce: must be a hex quantity without leading zeros, at most 2^64-2',
    ],
    [
      'gas limit',
      { gas: '0x10000000000000000' },
      'transaction.gasLimit: must be a hex quantity without leading zeros, at most 2^64-1',
    ],
    [
      'gas price',
      { gas: '0x10', gasPrice: TOO_MUCH },
      'transaction.gasPrice: must keep the product with gasLimit below 2^256',
    ],
    [
      'fee',
      { gas: '0x10', maxFeePerGas: TOO_MUCH, maxPriorityFeePerGas: '0x1' },
      'transaction.maxFeePerGas: must keep the product with gasLimit below 2^256',
    ],
    [
      'tip',
      { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' },
      'transaction.maxPriorityFeePerGas: must not be above maxFeePerGas',
    ],
  ])('refuses a %s with which it could never be included, without a dialog', async (_what, fields, message) => {
    const { ask } = await connected();
    const { error } = await ask('eth_sendTransaction', [{ from: ME, to: ALICE, ...fields }] as never);
    expect(error).toMatchObject({ code: -32602, message });
    expect(takenBy(node)).toEqual([]);
  });

  it.each<[string, string, () => Json, string]>([
    ['nonce', 'eth_getTransactionCount', () => '0xffffffffffffffff', 'transaction.nonce: must be a hex quantity'],
    ['gas estimate', 'eth_estimateGas', () => '0xffffffffffffffff', 'transaction.gasLimit: must be a hex quantity'],
    [
      'base fee',
      'eth_getBlockByNumber',
      () => ({ baseFeePerGas: `0x${'f'.repeat(64)}` }),
      'transaction.maxFeePerGas: must be a hex quantity without leading zeros, at most 2^256-1',
    ],
    [
      'tip',
      'eth_maxPriorityFeePerGas',
      () => `0x${'f'.repeat(64)}`,
      'transaction.maxFeePerGas: must be a hex quantity without leading zeros, at most 2^256-1',
    ],
  ])("refuses a node's %s that no transaction can have", async (_what, method, answer, sentence) => {
    const { ask } = await connected();
    node.answers[method] = answer;
    const { error } = await ask('eth_sendTransaction', [{ from: ME, to: ALICE }]);
    expect(error).toMatchObject({ code: -32602 });
    expect(error!.message).toContain(sentence);
    expect(takenBy(node)).toEqual([]);
  });

  it('uses the gas price on a chain without a base fee, and if the node has no method for the tip', async () => {
    const { approve } = await connected();
    node.answers.eth_gasPrice = () => '0x77359400';
    node.answers.eth_maxPriorityFeePerGas = () => {
      throw new NodeRefusal('no such method', -32601);
    };
    await approve('eth_sendTransaction', [{ from: ME, to: ALICE }]);
    node.answers.eth_getBlockByNumber = () => ({});
    await approve('eth_sendTransaction', [{ from: ME, to: ALICE }]);
    expect(takenBy(node).map((raw) => parseTransaction(raw))).toMatchObject([
      { type: 'eip1559', maxPriorityFeePerGas: 1_000_000_000n },
      { type: 'legacy', gasPrice: 2_000_000_000n },
    ]);
  });

  it.each([
    ['maxFeePerGas', { maxFeePerGas: '0x64' }],
    ['maxPriorityFeePerGas', { maxPriorityFeePerGas: '0x64' }],
    ['type', { type: '0x2' }],
  ])('refuses what needs a base fee on a chain without one: %s', async (field, fields) => {
    const { ask } = await connected();
    node.answers.eth_gasPrice = () => '0x77359400';
    node.answers.eth_getBlockByNumber = () => ({});
    const { error } = await ask('eth_sendTransaction', [{ from: ME, to: ALICE, ...fields }] as never);
    expect(error).toMatchObject({
      code: -32602,
      message: `transaction.${field}: must be omitted: this network has no base fee; set gasPrice instead`,
    });
    expect(takenBy(node)).toEqual([]);
  });

  it('sends both EIP-1559 fees as given, whether or not the chain has a base fee', async () => {
    const { approve } = await connected();
    node.answers.eth_getBlockByNumber = () => ({});
    const fees = { maxFeePerGas: '0x64', maxPriorityFeePerGas: '0x1' };
    await approve('eth_sendTransaction', [{ from: ME, to: ALICE, ...fees }]);
    expect(takenBy(node).map((raw) => parseTransaction(raw))).toMatchObject([
      { type: 'eip1559', maxFeePerGas: 100n, maxPriorityFeePerGas: 1n },
    ]);
  });

  it('passes on a revert from the node, without a dialog', async () => {
    const { ask } = await connected();
    node.answers.eth_estimateGas = () => {
      throw new NodeRefusal('execution reverted', 3, '0x08c379a0');
    };
    const { error } = await ask('eth_sendTransaction', [{ from: ME, to: ALICE }]);
    expect(error).toMatchObject({
      code: 3,
      message: 'The transaction would fail, so it was not sent. The node says: execution reverted',
      data: { data: '0x08c379a0' },
    });
  });

  it('never gives the same nonce to two sites', async () => {
    const { connect, dapp } = await connected();
    await connect('https://other.example');
    node.answers.eth_getTransactionCount = () => `0x${(5 + takenBy(node).length).toString(16)}`;
    const [first, second] = [DAPP, 'https://other.example'].map((origin) =>
      dapp('eth_sendTransaction', [{ from: ME, to: ALICE }], origin),
    );
    await (await first!.getInterface()).ok();
    await first;
    await (await second!.getInterface()).ok();
    await second;
    expect(takenBy(node).map((raw) => parseTransaction(raw).nonce)).toEqual([5, 6]);
  });

  it('keeps its own hash if the node returns another one, and marks it as unclear', async () => {
    const { approve, snap } = await connectedTo(node, await start());
    node.answers.eth_sendRawTransaction = () => `0x${'12'.repeat(32)}`;
    const home = async () => flat((await snap.onHomePage()).getInterface().content);
    expect((await approve('eth_sendTransaction', [{ from: ME, to: ALICE }])).result).toBe(keccak256(takenBy(node)[0]!));
    expect(await home()).toContain('Status Unknown. There was no answer');
    node.answers.eth_getTransactionByHash = ([hash]) => ({ hash: hash as Hex });
    expect((await approve('eth_sendTransaction', [{ from: ME, to: BOB }])).result).toBe(keccak256(takenBy(node)[1]!));
    expect(await home()).toMatch(/Status Sent\..*Status Unknown\./u);
  });

  it('warns of a transaction that exceeds the balance, which it requests together with the nonce', async () => {
    const { dapp } = await connected();
    node.answers.eth_getBalance = () => '0xde0b6b3a7640000';
    const fees = { gas: '0x5208', maxFeePerGas: '0x3b9aca00', maxPriorityFeePerGas: '0x1' };
    const shown = async (value: string): Promise<string> => {
      const request = dapp('eth_sendTransaction', [{ from: ME, to: ALICE, value, ...fees }]);
      const screen = await request.getInterface();
      await screen.cancel();
      await request;
      return flat(screen.content);
    };
    // One ether minus the gas: exactly everything, and one wei more.
    expect(await shown('0xde0a39a35d9b000')).not.toContain('the account has');
    expect(await shown('0xde0a39a35d9b001')).toContain(
      'This can cost up to 1.000000000000000001 ETH, but the account has only 1 ETH',
    );
    expect(node.asked.map(({ method }) => method).slice(0, 3)).toEqual([
      'eth_chainId',
      'eth_getTransactionCount',
      'eth_getBalance',
    ]);
    node.answers.eth_getBalance = () => {
      throw new NodeRefusal('not today', -32000);
    };
    expect(await shown('0xde0a39a35d9b001')).not.toContain('the account has');
  });

  it('includes what earlier transactions may take', async () => {
    const { dapp } = await connected();
    node.answers.eth_getBalance = () => '0xde0b6b3a7640000';
    const call = { to: ALICE, value: '0x8ac7230489e80000' };
    const half = { to: ALICE, value: '0x6f05b59d3b20000' };
    const batch = { version: '2.0.0', chainId: '0x7a69', from: ME, atomicRequired: false };
    const request = dapp('wallet_sendCalls', [{ ...batch, calls: [half, half, call] }]);
    const said: string[] = [];
    // What cannot succeed takes a second confirmation.
    for (let dialog = 0; dialog < 5; dialog++) {
      const screen = await request.getInterface();
      said.push(flat(screen.content));
      await screen.ok();
    }
    await request;
    expect(said.map((text) => /the account has only (\S+) ETH/u.exec(text)?.[1])).toEqual([
      undefined,
      expect.stringMatching(/^0\.49/u),
      expect.stringMatching(/^0\.49/u),
      '0',
      '0',
    ]);
  });

  it('does not trust a node of another chain', async () => {
    const { ask } = await connected();
    node.answers.eth_chainId = () => '0x1';
    const { error } = await ask('eth_sendTransaction', [{ from: ME, to: ALICE }]);
    expect(error?.message).toContain('must be a node for chain 31337');
    expect((await ask('eth_sendTransaction', [{ from: ME, chainId: '0x1' }])).error?.message).toContain(
      'transaction.chainId: must be the chain of the site',
    );
  });
});
