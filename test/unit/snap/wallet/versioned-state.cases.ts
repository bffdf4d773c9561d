import { type Json } from '@metamask/snaps-sdk';

import { CheckedState, STATE_VERSION, type StateStore } from '../../../../src/snap/wallet/state';
import { WalletDouble } from '../../../support/wallet/wallet-double';

/** A store on a state that survives it. The write with number `dieAt` never returns. */
function storeOn(wallet: WalletDouble, dieAt = Infinity): StateStore {
  let writes = 0;
  return {
    read: (key) => Promise.resolve(wallet.read(key)),
    write: (key, value) => {
      if (writes++ === dieAt) return Promise.reject(new Error('killed'));
      wallet.write(key, value);
      return Promise.resolve();
    },
  };
}

const walletWith = (state: Record<string, Json>): WalletDouble => Object.assign(new WalletDouble(), { state });

const STORED = { accounts: { a: { address: '0x1' } }, settings: { confirmSignatures: 'always' } };
const CURRENT = { ...STORED, version: STATE_VERSION };

/** Values of `version` that no release writes. */
const NO_VERSION: readonly Json[] = ['x', 0, 1, -1, 2.5, [], { version: 2 }, true];

describe('the version of the state', () => {
  it.each<[string, Record<string, Json>]>([
    ['an empty state', {}],
    ['a state that has lost its version', STORED],
  ])('is written into %s before anything else', async (_what, state) => {
    const wallet = walletWith(structuredClone(state));
    await expect(new CheckedState(storeOn(wallet, 0)).read('accounts')).rejects.toThrow('killed');
    expect(wallet.state).toEqual(state);
    const store = new CheckedState(storeOn(wallet));
    expect(await store.read('accounts')).toEqual(state.accounts ?? null);
    expect(wallet.state).toEqual({ ...state, version: STATE_VERSION });
  });

  it('of the current state is left as it is', async () => {
    const wallet = walletWith(structuredClone(CURRENT));
    const store = new CheckedState(storeOn(wallet, 0));
    expect(await store.read('settings')).toEqual(STORED.settings);
    expect(wallet.state).toEqual(CURRENT);
  });

  it.each([STATE_VERSION + 1, 99])('that is newer than the code (%i) stops reads and changes', async (version) => {
    const wallet = walletWith({ ...structuredClone(CURRENT), version });
    const store = new CheckedState(storeOn(wallet));
    const message = `newer version of Keystead (state version ${version}; this version reads ${STATE_VERSION})`;
    await expect(store.read('accounts')).rejects.toThrow(message);
    await expect(store.write('settings', null)).rejects.toThrow(message);
    expect(wallet.state).toEqual({ ...CURRENT, version });
  });

  it.each(NO_VERSION)('that is %j changes nothing until the first successful change', async (version) => {
    const wallet = walletWith({ ...structuredClone(CURRENT), version });
    const failing = new CheckedState(storeOn(wallet, 0));
    expect(await failing.read('accounts')).toEqual(STORED.accounts);
    expect(wallet.state.version).toEqual(version);
    await expect(failing.write('settings', null)).rejects.toThrow('killed');
    expect(wallet.state).toEqual({ ...CURRENT, version });
    await failing.write('settings', null);
    expect(wallet.state).toEqual({ ...CURRENT, settings: null });
  });
});
