import { mnemonicPhraseToBytes, mnemonicToSeed } from '@metamask/key-tree';
import { restrictedMethodPermissionBuilders } from '@metamask/snaps-rpc-methods';

import { snapEntropy } from '../../../src/simulated-wallet/entropy';
import { newPhrase, readPhrase, seedOf } from '../../../src/simulated-wallet/phrase';

const PHRASES = [
  'test test test test test test test test test test test junk',
  'legal winner thank year wave sausage worth useful legal winner thank yellow',
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon art',
];
const SNAP_IDS = ['local:http://localhost:8080', 'npm:keystead', 'local:http://127.0.0.1:19101'];
const SALTS = ['', 'keystead/eip155:eoa/0', 'keystead/eip155:erc4337/simple-account-0.7/12', 'Ünïcode ✓'];

/** MetaMask's own derivation, from its published packages. */
async function metamaskEntropy(phrase: string, snapId: string, salt: string): Promise<unknown> {
  const hooks = {
    getMnemonicSeed: () => mnemonicToSeed(mnemonicPhraseToBytes(phrase)),
    getUnlockPromise: () => Promise.resolve(),
    getClientCryptography: () => ({}),
  };
  const { methodImplementation } = restrictedMethodPermissionBuilders.snap_getEntropy.specificationBuilder({
    methodHooks: hooks,
  } as never);
  return (methodImplementation as (request: unknown) => unknown)({
    method: 'snap_getEntropy',
    params: { version: 1, salt },
    context: { origin: snapId },
  });
}

describe('snap_getEntropy of the simulated wallet', () => {
  it.each(PHRASES)('matches MetaMask for %s', async (phrase) => {
    const seed = await seedOf(phrase);
    for (const snapId of SNAP_IDS)
      for (const salt of SALTS)
        expect(snapEntropy(seed, snapId, salt)).toBe(await metamaskEntropy(phrase, snapId, salt));
  });

  it('treats a missing salt as empty', async () => {
    const seed = await seedOf(PHRASES[0]!);
    expect(snapEntropy(seed, SNAP_IDS[0]!)).toBe(snapEntropy(seed, SNAP_IDS[0]!, ''));
  });
});

describe('recovery phrases', () => {
  it('have 12 words, and are read in any case and spacing', () => {
    const phrase = newPhrase();
    expect(phrase.split(' ')).toHaveLength(12);
    expect(readPhrase(`  ${phrase.toUpperCase().replaceAll(' ', '\n ')} `)).toBe(phrase);
  });

  it('are rejected with a wrong word, checksum or number of words', () => {
    expect(readPhrase('test test test test test test test test test test test test')).toBeUndefined();
    expect(readPhrase('legal winner thank year wave sausage worth useful legal winner thank xyzzy')).toBeUndefined();
    expect(readPhrase('test junk')).toBeUndefined();
    expect(readPhrase('')).toBeUndefined();
  });
});
