import { numberToHex } from 'viem';

import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { type Hex } from '../../../../src/core/eth/bytes';
import { type Batch } from '../../../../src/snap/send/batch';
import { outcomeOf } from '../../../../src/snap/send/outcome';
import { servicesOf } from '../../../../src/snap/network/services';
import { bundleReceipt } from '../../../support/operation-event';
import { type SimulatedNode, startSimulatedNode } from '../../../support/simulated-node';

const HASH: Hex = `0x${'12'.repeat(32)}`;
const OTHER: Hex = `0x${'13'.repeat(32)}`;
const THIRD: Hex = `0x${'14'.repeat(32)}`;
const STRANGE: Hex = `0x${'15'.repeat(32)}`;
const ACCOUNT: Hex = `0x${'ac'.repeat(20)}`;

let node: SimulatedNode;
beforeAll(async () => {
  node = await startSimulatedNode();
});
afterAll(() => node.stop());

const batch = (sent: Batch['sent']): Batch => ({
  id: 'a',
  origin: 'https://dapp.example',
  account: ACCOUNT,
  chainId: 'eip155:1',
  at: 0,
  calls: 1,
  atomic: true,
  sent,
  status: 100,
});

/** @param by - The transaction that used the account's nonce 5, in the latest block, if any did. */
function network(by?: Hex, isShown = true): void {
  Object.assign(node.answers, {
    eth_blockNumber: () => '0x100',
    eth_getTransactionCount: ([, block]: readonly string[]) =>
      numberToHex(by !== undefined && (block === 'latest' || block === '0x100') ? 6 : 5),
    eth_getBlockByNumber: () => ({ transactions: by === undefined ? [] : [by] }),
    eth_getTransactionReceipt: ([hash]: readonly Hex[]) =>
      hash === by && isShown ? { ...bundleReceipt(hash!), logs: [], status: 1 } : null,
  });
}

const outcome = (of: Batch) =>
  outcomeOf(
    of,
    servicesOf({ chainId: 'eip155:1', entryPoint: ENTRY_POINTS['0.7'], entryPointVersion: '0.7', rpcUrl: node.url }),
    660_000,
  );

describe('what became of transactions that the person replaced', () => {
  const replaced = (...hows: ('speed-up' | 'cancel')[]) =>
    batch({
      as: 'transactions',
      items: [
        {
          hash: HASH,
          nonce: '0x5',
          replacements: hows.map((how, index) => ({
            hash: [OTHER, THIRD][index]!,
            how,
            fees: { maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' },
          })),
        },
      ],
      unsent: 0,
    });

  it.each([
    ['the first, although it was cancelled', HASH, ['cancel'], { status: 200 }],
    ['the faster one', OTHER, ['speed-up'], { status: 200, receipts: [{ transactionHash: OTHER }] }],
    ['the cancellation', OTHER, ['cancel'], { status: 400, receipts: [], remark: 'cancelled' }],
    ['the faster one, although it was cancelled', OTHER, ['speed-up', 'cancel'], { status: 200 }],
  ] as const)('are decided by what the network includes: %s', async (_what, hash, hows, expected) => {
    network(hash);
    expect(await outcome(replaced(...hows))).toMatchObject(expected);
  });

  it('are replaced only if the network shows something else than all of them', async () => {
    network(STRANGE);
    expect(await outcome(replaced('speed-up', 'cancel'))).toMatchObject({ status: 400, remark: 'replaced' });
    // The block has the faster one, although the node shows no receipt.
    network(OTHER, false);
    expect(await outcome(replaced('speed-up'))).toMatchObject({ status: 100, remark: 'nonce-used' });
  });

  it('are seen if the node has any of them', async () => {
    network();
    node.answers.eth_getTransactionByHash = ([hash]) => (hash === OTHER ? { hash: OTHER } : null);
    expect(await outcome(replaced('speed-up'))).toMatchObject({ status: 100, isSeen: true });
    delete node.answers.eth_getTransactionByHash;
  });
});
