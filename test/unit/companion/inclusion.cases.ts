import { encodeAbiParameters, encodeEventTopics, type Hex, toHex, zeroAddress } from 'viem';
import { entryPoint06Abi, entryPoint08Abi } from 'viem/account-abstraction';

import { inclusionOf } from '../../../src/companion/model/inclusion';
import { type Chain } from '../../../src/companion/model/types';
import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { ALICE, BOB, DEVNET } from '../../support/companion/samples';

const HASH: Hex = `0x${'1'.repeat(64)}`;
const OPERATION: Hex = `0x${'2'.repeat(64)}`;
const INCLUDED = { hash: OPERATION, sender: ALICE, cost: 900n, nonce: 7n, hasSucceeded: true };
const PAYMASTER = '0x00000000000000000000000000000000000000B0';

/** The log of an entry point, by viem's own ABI of it. */
const operationLog = (
  abi: typeof entryPoint06Abi | typeof entryPoint08Abi,
  sender: Hex,
  paymaster: Hex,
  address: Hex = ENTRY_POINTS['0.8'],
) => ({
  address,
  topics: encodeEventTopics({
    abi: abi as typeof entryPoint08Abi,
    eventName: 'UserOperationEvent',
    args: { userOpHash: OPERATION, sender, paymaster },
  }),
  data: encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'bool' }, { type: 'uint256' }, { type: 'uint256' }],
    [7n, true, 900n, 300n],
  ),
});

describe('how something was included', () => {
  let logs: readonly object[];
  let node: SimulatedNode;
  beforeAll(async () => {
    const common = { blockNumber: '0x6', blockHash: HASH, transactionHash: HASH, transactionIndex: '0x0' };
    node = await startSimulatedNode({
      eth_getTransactionReceipt: () =>
        ({
          ...common,
          from: BOB,
          to: BOB,
          status: '0x1',
          type: '0x2',
          contractAddress: null,
          cumulativeGasUsed: '0x64',
          gasUsed: '0x64',
          effectiveGasPrice: '0x3',
          logsBloom: '0x',
          logs: logs.map((log, index) => ({ ...common, ...log, logIndex: toHex(index), removed: false })),
        }) as never,
    });
  });
  afterAll(() => node.stop());
  const inclusion = (more: Partial<Chain> = {}) => inclusionOf({ ...DEVNET, rpcUrl: node.url, ...more }, ALICE, HASH);

  it('is as a transaction, whose gas its sender paid', async () => {
    logs = [];
    expect(await inclusion()).toEqual({ block: 6n, hasFailed: false, fee: 300n, operations: [] });
    const sent = { ...DEVNET, rpcUrl: node.url };
    expect(await inclusionOf(sent, BOB, HASH)).toEqual({
      block: 6n,
      hasFailed: false,
      fee: 300n,
      payer: 'account',
      operations: [],
    });
  });

  it.each([
    ['0.6', entryPoint06Abi],
    ['0.8', entryPoint08Abi],
  ])('is as a user operation, whose fee a paymaster paid (entry point %s)', async (_version, abi) => {
    logs = [operationLog(abi, BOB, zeroAddress), operationLog(abi, ALICE, PAYMASTER)];
    const operations = [{ ...INCLUDED, paymaster: PAYMASTER }];
    expect(await inclusion()).toEqual({ block: 6n, hasFailed: false, fee: 900n, payer: 'paymaster', operations });
  });

  it('is as a user operation, whose fee the account paid', async () => {
    logs = [operationLog(entryPoint08Abi, ALICE, zeroAddress)];
    expect(await inclusion()).toEqual({
      block: 6n,
      hasFailed: false,
      fee: 900n,
      payer: 'account',
      operations: [INCLUDED],
    });
  });

  it('is not what a contract claims that is no entry point, unless the network has it as one', async () => {
    logs = [operationLog(entryPoint08Abi, ALICE, PAYMASTER, BOB)];
    expect(await inclusion()).toEqual({ block: 6n, hasFailed: false, fee: 300n, operations: [] });
    expect(await inclusion({ entryPoint: BOB })).toMatchObject({ fee: 900n, operations: [{ paymaster: PAYMASTER }] });
  });
});
