import { type Json } from '@metamask/snaps-sdk';

import { migrateState, STATE_VERSION } from '../../../src/keyring/state';
import { type StateStore } from '../../../src/platform/state';
import { SimulatedWallet } from '../../helpers/simulated-wallet';

/** A store on a state that outlives it; the write with number `dieAt` never returns. */
function storeOn(wallet: SimulatedWallet, dieAt = Infinity): StateStore {
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

const walletWith = (state: Record<string, Json>): SimulatedWallet => Object.assign(new SimulatedWallet(), { state });

/** Two steps as later versions will have them: one renames, one reshapes. */
const STEPS = {
  1: async (state: StateStore) => {
    const accounts = (await state.read('accounts')) as Record<string, Record<string, Json>>;
    await state.write(
      'accounts',
      Object.fromEntries(Object.entries(accounts).map(([id, account]) => [id, { name: 'none', ...account }])),
    );
  },
  2: async (state: StateStore) => {
    const settings = (await state.read('settings')) as Record<string, Json>;
    await state.write('settings', { ...settings, theme: 'dark' });
  },
};
const OLD = { version: 1, accounts: { a: { address: '0x1' } }, settings: { confirmSignatures: 'always' } };
const NEW = {
  version: 3,
  accounts: { a: { name: 'none', address: '0x1' } },
  settings: { confirmSignatures: 'always', theme: 'dark' },
};

describe('migrateState', () => {
  it('marks an empty state as current', async () => {
    const wallet = new SimulatedWallet();
    await migrateState(storeOn(wallet));
    expect(wallet.state).toEqual({ version: STATE_VERSION });
  });

  it('leaves a current state as it is', async () => {
    const wallet = walletWith({ ...OLD, version: STATE_VERSION });
    await migrateState(storeOn(wallet));
    expect(wallet.state).toEqual({ ...OLD, version: STATE_VERSION });
  });

  it('runs every step from the stored version on', async () => {
    const wallet = walletWith(structuredClone(OLD));
    await migrateState(storeOn(wallet), STEPS, 3);
    expect(wallet.state).toEqual(NEW);
  });

  it('is completed by the next start, wherever it was cut short', async () => {
    for (let dieAt = 0; dieAt < 4; dieAt++) {
      const wallet = walletWith(structuredClone(OLD));
      await expect(migrateState(storeOn(wallet, dieAt), STEPS, 3)).rejects.toThrow('killed');
      await migrateState(storeOn(wallet), STEPS, 3);
      expect(wallet.state).toEqual(NEW);
    }
  });

  it.each<[string, Record<string, Json>, RegExp]>([
    ['newer than the code', { ...OLD, version: 99 }, /newer Keystead \(version 99/u],
    ['without version', { accounts: {} }, /no valid version/u],
    ['with a version that is none', { ...OLD, version: 'x' }, /no valid version/u],
    ['of a version without a way on', { ...OLD, version: 2 }, /no way from state version 2/u],
  ])('refuses a state %s and changes nothing', async (_what, state, message) => {
    const wallet = walletWith(structuredClone(state));
    await expect(migrateState(storeOn(wallet), {}, 3)).rejects.toThrow(message);
    expect(wallet.state).toEqual(state);
  });
});
