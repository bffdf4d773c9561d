import { type Json } from '@metamask/snaps-sdk';

import { ChainRepository } from '../../../../src/snap/network/repository';
import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { type ChainConfiguration } from '../../../../src/core/schemas/chain-configuration';

const configuration = (chainId: number): ChainConfiguration => ({
  chainId: `eip155:${chainId}`,
  rpcUrl: `https://node-${chainId}.example`,
  bundlerUrl: 'https://bundler.example',
  entryPoint: ENTRY_POINTS['0.7'],
  entryPointVersion: '0.7',
});

/** A chain repository on an in-memory store. */
function start(stored: unknown) {
  const state = { chains: stored as Json };
  const chains = new ChainRepository({
    read: () => Promise.resolve(state.chains),
    write: (_key, value) => {
      state.chains = structuredClone(value);
      return Promise.resolve();
    },
  });
  return { chains, state };
}

describe('a damaged chain', () => {
  it.each<[string, unknown]>([
    ['a number', 5],
    ['null', null],
    ['one without a node', { ...configuration(1), rpcUrl: undefined }],
    ['one with another URL than may be', { ...configuration(1), rpcUrl: 'http://10.0.0.1' }],
    ['the one of another chain', configuration(10)],
  ])('that is %s is named, keeps no other from use, and can be set up again', async (_name, entry) => {
    const { chains, state } = start({ '1': entry, '10': configuration(10), '5': 'x' });
    await expect(chains.find(1n)).rejects.toThrow(
      'The stored configuration of Ethereum (chain 1) is damaged. Nothing was changed. Set up the network again.',
    );
    expect(await chains.look(1n)).toBe('damaged');
    expect(await chains.damaged()).toEqual(['Ethereum (chain 1)', 'Network 5']);
    expect(await chains.find(10n)).toEqual(configuration(10));
    expect(await chains.find(2n)).toBeUndefined();
    expect(await chains.list()).toEqual([configuration(10)]);

    await chains.put(configuration(1));
    expect(await chains.find(1n)).toEqual(configuration(1));
    expect(await chains.damaged()).toEqual(['Network 5']);
    expect(state.chains).toEqual({ '1': configuration(1), '10': configuration(10), '5': 'x' });
  });

  it('can be removed', async () => {
    const { chains, state } = start({ '1': 5, '10': configuration(10) });
    await chains.remove('eip155:1');
    expect(state.chains).toEqual({ '10': configuration(10) });
    expect(await chains.damaged()).toEqual([]);
  });

  it('includes every chain if the stored value is not an object of chains', async () => {
    for (const stored of [5, 'x', [configuration(1)]]) {
      const { chains, state } = start(stored);
      await expect(chains.find(1n)).rejects.toThrow('Ethereum (chain 1) is damaged');
      expect(await chains.list()).toEqual([]);
      expect(await chains.damaged()).toEqual(['"all chains"']);
      await chains.put(configuration(1));
      expect(await chains.list()).toEqual([configuration(1)]);
      expect(await chains.damaged()).toEqual([]);
      expect(state.chains).toEqual({ '1': configuration(1) });
    }
  });

  it('with an invalid name is named without repeating unsafe characters', async () => {
    expect(await start({ 'https://\n‮x': 5 }).chains.damaged()).toEqual(['"https://??x"']);
  });
});
