import { type Json } from '@metamask/snaps-sdk';

import { migrateState, STATE_VERSION, versionedState } from '../../../../src/snap/storage/versioned-state';
import { type StateStore } from '../../../../src/snap/platform/state';
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

/** Two example migrations: one renames, one restructures. */
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
    const wallet = new WalletDouble();
    await migrateState(storeOn(wallet));
    expect(wallet.state).toEqual({ version: STATE_VERSION });
  });

  it('leaves a current state as it is', async () => {
    const wallet = walletWith({ ...OLD, version: STATE_VERSION });
    await migrateState(storeOn(wallet));
    expect(wallet.state).toEqual({ ...OLD, version: STATE_VERSION });
  });

  it('runs every migration from the stored version on', async () => {
    const wallet = walletWith(structuredClone(OLD));
    await migrateState(storeOn(wallet), STEPS, 3);
    expect(wallet.state).toEqual(NEW);
  });

  it('is completed by the next start, wherever it was interrupted', async () => {
    for (let dieAt = 0; dieAt < 4; dieAt++) {
      const wallet = walletWith(structuredClone(OLD));
      await expect(migrateState(storeOn(wallet, dieAt), STEPS, 3)).rejects.toThrow('killed');
      await migrateState(storeOn(wallet), STEPS, 3);
      expect(wallet.state).toEqual(NEW);
    }
  });

  it('treats a state without a version as the first version, and runs every migration', async () => {
    const { version: _lost, ...rest } = OLD;
    const wallet = walletWith(structuredClone(rest));
    expect(await migrateState(storeOn(wallet), STEPS, 3)).toBe(true);
    expect(wallet.state).toEqual(NEW);
    const written = walletWith(structuredClone(rest));
    expect(await migrateState(storeOn(written))).toBe(true);
    expect(written.state).toEqual({ ...rest, version: STATE_VERSION });
  });

  it('completes a state whose version was lost after its migrations', async () => {
    const { version: _lost, ...rest } = NEW;
    const wallet = walletWith(structuredClone(rest));
    await migrateState(storeOn(wallet), STEPS, 3);
    expect(wallet.state).toEqual(NEW);
  });

  it.each<Json>(['x', 0, -1, 1.5, [], { version: 1 }, true])(
    'rejects %j as a version, and changes nothing',
    async (version) => {
      const wallet = walletWith({ ...OLD, version });
      expect(await migrateState(storeOn(wallet), STEPS, 3)).toBe(false);
      expect(wallet.state).toEqual({ ...OLD, version });
    },
  );

  it.each<[string, Record<string, Json>, RegExp]>([
    ['newer than the code', { ...OLD, version: 99 }, /newer version of Keystead \(state version 99/u],
    ['of a version without a way on', { ...OLD, version: 2 }, /no migration from state version 2/u],
  ])('refuses a state %s and changes nothing', async (_what, state, message) => {
    const wallet = walletWith(structuredClone(state));
    await expect(migrateState(storeOn(wallet), {}, 3)).rejects.toThrow(message);
    expect(wallet.state).toEqual(state);
  });
});

describe('version 2', () => {
  const [ONE, TWO] = [`0x${'aB'.repeat(20)}`, `0x${'cd'.repeat(20)}`] as const;
  const signed = [{ at: 5, origin: 'https://dapp.example', method: 'personal_sign' }];
  const old = (recipients: Json): Record<string, Json> => ({
    version: 1,
    accounts: { a: { account: { address: ONE } }, b: { account: { address: 5 } }, c: null },
    recipients,
  });
  const ends = { abababab: { [ONE.toLowerCase()]: true } };

  it('has the histories of version 1 by account, and an index of own addresses, wherever it was interrupted', async () => {
    for (let dieAt = 0; dieAt <= 5; dieAt++) {
      const wallet = walletWith(
        old([
          { account: ONE, addresses: [TWO], signed },
          { account: TWO, addresses: [] },
        ]),
      );
      if (dieAt < 5) await expect(migrateState(storeOn(wallet, dieAt))).rejects.toThrow('killed');
      await migrateState(storeOn(wallet));
      expect(wallet.state).toEqual({
        ...old(null),
        version: 2,
        histories: { [ONE.toLowerCase()]: { addresses: [TWO], signed }, [TWO]: { addresses: [] } },
        historyOrder: [ONE.toLowerCase(), TWO],
        ends,
      });
    }
  });

  it.each<[string, Json]>([
    ['text', 'garbage'],
    ['a list with other things in it', [5, { account: 'x', addresses: [] }]],
  ])('keeps a copy of histories that cannot be read: %s', async (_what, recipients) => {
    const wallet = walletWith(old(recipients));
    await migrateState(storeOn(wallet));
    expect(wallet.state).toMatchObject({ histories: {}, damaged: [{ part: 'recipients', stored: recipients }] });
  });

  it('is also reached from a state whose version cannot be read', async () => {
    const wallet = walletWith({ ...old([{ account: TWO, addresses: [] }]), version: 'x' });
    await versionedState(storeOn(wallet)).write('settings', null);
    expect(wallet.state).toMatchObject({ version: 2, histories: { [TWO]: { addresses: [] } }, ends });
  });
});

describe('a store whose version cannot be read', () => {
  it('is read unchanged, and gets a version with its first successful change', async () => {
    const wallet = walletWith({ ...OLD, version: 'x' });
    const failing = versionedState(storeOn(wallet, 0));
    expect(await failing.read('accounts')).toEqual(OLD.accounts);
    expect(wallet.state.version).toBe('x');
    await expect(failing.write('settings', null)).rejects.toThrow('killed');
    expect(wallet.state).toEqual({ ...OLD, version: 'x' });
    await failing.write('settings', null);
    expect(wallet.state).toEqual({ ...OLD, version: STATE_VERSION, settings: null });
  });
});
