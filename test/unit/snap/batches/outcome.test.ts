import { type ChainServices } from '../../../../src/snap/networks/services';
import { type Batch } from '../../../../src/snap/batches/batch';
import { outcomeOf } from '../../../../src/snap/batches/outcome';
import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { ServiceFailedError } from '../../../../src/core/errors';
import { type Hex } from '../../../../src/core/eth/bytes';

const HASH: Hex = `0x${'12'.repeat(32)}`;
const OTHER: Hex = `0x${'13'.repeat(32)}`;
const BLOCK: Hex = `0x${'bb'.repeat(32)}`;
const MINUTE = 60_000;

const batch = (sent: Batch['sent']): Batch => ({
  id: 'a',
  origin: 'https://dapp.example',
  account: `0x${'ac'.repeat(20)}`,
  chainId: 'eip155:1',
  at: 0,
  calls: 2,
  atomic: sent.as === 'operation',
  sent,
  status: 100,
});
const operation = batch({ as: 'operation', hash: HASH, entryPoint: ENTRY_POINTS['0.7'], nonce: '0x5' });
const transactions = (unsent = 0, ...hashes: Hex[]) =>
  batch({
    as: 'transactions',
    items: hashes.map((hash, index) => ({ hash, nonce: `0x${5 + index}` })),
    unsent,
  });

type Facts = {
  /** The bundler's receipt of the operation. */
  readonly operation?: { readonly success: boolean };
  /** The status of each included transaction. */
  readonly included?: Readonly<Record<Hex, number>>;
  /** The next nonce. */
  readonly nonce?: bigint;
};

/** Services that report these facts. */
const services = ({ operation: found, included = {}, nonce = 0n }: Facts) =>
  ({
    bundler: () => ({
      getUserOperationReceipt: () =>
        Promise.resolve(
          found && { ...found, logs: [], transactionHash: OTHER, blockNumber: 5n, actualGasUsed: 7n, userOpHash: HASH },
        ),
    }),
    node: {
      callForWord: () => Promise.resolve(nonce),
      ask: (method: string, [hash]: Hex[]) => {
        if (method === 'eth_getTransactionCount') return Promise.resolve(Number(nonce));
        const status = hash === OTHER && included[OTHER] === undefined ? 1 : included[hash!];
        if (status === undefined) return Promise.resolve(null);
        return Promise.resolve({
          transactionHash: hash,
          blockHash: BLOCK,
          blockNumber: 5,
          gasUsed: 7,
          status,
          logs: [],
        });
      },
    },
  }) as unknown as ChainServices;

describe('outcomeOf a user operation', () => {
  it.each<[number, Facts, number]>([
    [100, {}, MINUTE],
    [100, { nonce: 6n }, MINUTE],
    [100, { nonce: 5n }, 11 * MINUTE],
    [400, { nonce: 6n }, 11 * MINUTE],
    [400, {}, 25 * 60 * MINUTE],
    [200, { operation: { success: true } }, MINUTE],
    [500, { operation: { success: false } }, MINUTE],
  ])('%d: %o after %d ms', async (status, facts, now) => {
    expect(await outcomeOf(operation, services(facts), now)).toMatchObject({ status });
  });

  it('asks the node for the block if the bundler does not return it', async () => {
    const { receipts } = await outcomeOf(operation, services({ operation: { success: true } }), MINUTE);
    expect(receipts).toEqual([
      { logs: [], status: '0x1', blockHash: BLOCK, blockNumber: '0x5', gasUsed: '0x7', transactionHash: OTHER },
    ]);
  });

  it('is not decided by a failing service', async () => {
    const failing = {
      bundler: () => ({ getUserOperationReceipt: () => Promise.reject(new ServiceFailedError('no')) }),
    };
    await expect(outcomeOf(operation, failing as never, MINUTE)).rejects.toThrow('no');
  });
});

describe('outcomeOf transactions', () => {
  const THIRD: Hex = `0x${'14'.repeat(32)}`;

  it.each<[number, Batch, Facts, number]>([
    [100, transactions(0, HASH, THIRD), { included: { [HASH]: 1 } }, MINUTE],
    [200, transactions(0, HASH, THIRD), { included: { [HASH]: 1, [THIRD]: 1 } }, MINUTE],
    [600, transactions(1, HASH), { included: { [HASH]: 1 } }, MINUTE],
    [600, transactions(0, HASH, THIRD), { included: { [HASH]: 0, [THIRD]: 1 } }, MINUTE],
    [500, transactions(0, HASH, THIRD), { included: { [HASH]: 0, [THIRD]: 0 } }, MINUTE],
    [400, transactions(0, HASH), { nonce: 6n }, 11 * MINUTE],
    [600, transactions(0, HASH, THIRD), { included: { [HASH]: 1 }, nonce: 7n }, 11 * MINUTE],
  ])('%d', async (status, sent, facts, now) => {
    expect(await outcomeOf(sent, services(facts), now)).toMatchObject({ status });
  });
});
