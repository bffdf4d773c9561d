import { BlockNotFoundError } from 'viem';

import { operationReceiptOf, unlessNotFound } from '../../../src/companion/model/look-up';
import { nodeOf, viemChainOf } from '../../../src/companion/model/node';
import { startSimulatedNode } from '../../support/simulated-node';
import { DEVNET } from '../../support/companion/samples';

const HASH = `0x${'1'.repeat(64)}` as const;

describe('viemChainOf', () => {
  it('has the names of the snap: those of a known network cannot be changed', () => {
    const renamed = { ...DEVNET, chainId: 'eip155:137', name: 'Ethereum', symbol: 'BTC' } as const;
    expect(viemChainOf(renamed)).toMatchObject({ id: 137, name: 'Polygon', nativeCurrency: { symbol: 'POL' } });
    expect(viemChainOf(DEVNET)).toMatchObject({ id: 31337, name: 'Devnet', nativeCurrency: { symbol: 'ETH' } });
  });

  it('has ENS where it is deployed', () => {
    const on = (chainId: `eip155:${string}`) => viemChainOf({ ...DEVNET, chainId }).contracts?.ensUniversalResolver;
    expect(on('eip155:1')).toBeDefined();
    expect(on('eip155:31337')).toBeUndefined();
  });
});

it('shares one client for each node', () => {
  expect(nodeOf(DEVNET)).toBe(nodeOf({ ...DEVNET }));
  expect(nodeOf({ ...DEVNET, rpcUrl: 'http://localhost:2' })).not.toBe(nodeOf(DEVNET));
});

describe('looking up', () => {
  it('tells what is not found from a service that fails', async () => {
    expect(await unlessNotFound(Promise.resolve(1))).toBe(1);
    expect(await unlessNotFound(Promise.reject(new BlockNotFoundError({ blockNumber: 1n })))).toBeUndefined();
    await expect(unlessNotFound(Promise.reject(new Error('busy')))).rejects.toThrow('busy');
  });

  it('asks a bundler, if there is one, for the receipt of a user operation', async () => {
    const bundler = await startSimulatedNode({ eth_getUserOperationReceipt: () => null });
    try {
      expect(await operationReceiptOf(DEVNET, HASH)).toBeUndefined();
      expect(await operationReceiptOf({ ...DEVNET, bundlerUrl: bundler.url }, HASH)).toBeUndefined();
      expect(bundler.asked.map(({ params }) => params)).toEqual([[HASH]]);
    } finally {
      await bundler.stop();
    }
  });
});
