import { type Json } from '@metamask/snaps-sdk';

import { AccountRepository } from '../../../../src/snap/account/repository';
import { type StateStore } from '../../../../src/snap/wallet/state';
import { startKeyring } from '../../../support/wallet/keyring';
import { WalletDouble } from '../../../support/wallet/wallet-double';

const KEY = `0x${'42'.repeat(32)}`;

/** A running snap with a derived and an imported account, and a store that records reads. */
async function start() {
  const wallet = new WalletDouble();
  const { keyring } = startKeyring({ wallet });
  const derived = await keyring.createAccount({});
  const imported = await keyring.createAccount({ privateKey: KEY });
  const read: string[] = [];
  let down = false;
  let beforeWrite = (): Promise<unknown> => Promise.resolve();
  const store: StateStore = {
    read: (key) => {
      read.push(key);
      return Promise.resolve(wallet.read(key));
    },
    write: async (key, value) => {
      if (key.startsWith('accounts')) await beforeWrite();
      if (down) throw new Error('down');
      wallet.write(key, value);
    },
  };
  const duringWrites = (work: () => Promise<unknown>): void => {
    beforeWrite = work;
  };
  const fail = (): void => {
    down = true;
  };
  return { wallet, read, fail, duringWrites, derived, imported, accounts: new AccountRepository(store) };
}

describe('the cache of the account repository', () => {
  it('contains derived accounts, which are read once', async () => {
    const { accounts, derived, read } = await start();
    const [first, second] = [await accounts.get(derived.id), await accounts.get(derived.id)];
    expect(second).toBe(first);
    expect(read).toEqual([`accounts.${derived.id}`]);
  });

  it('never contains an imported key', async () => {
    const { accounts, imported, read } = await start();
    expect((await accounts.get(imported.id)).key).toEqual({ source: 'imported', privateKey: KEY });
    await accounts.get(imported.id);
    expect(read).toEqual([`accounts.${imported.id}`, `accounts.${imported.id}`]);
    expect(JSON.stringify(await accounts.entries())).not.toContain(KEY.slice(2));
    await accounts.put(await accounts.get(imported.id));
    expect(JSON.stringify(await accounts.entries())).not.toContain(KEY.slice(2));
  });

  it('contains all entries, read once and updated with each change', async () => {
    const { accounts, derived, imported, read } = await start();
    const idsNow = async () => (await accounts.entries()).map(({ account }) => account.id);
    expect(await idsNow()).toEqual([derived.id, imported.id]);
    const stored = await accounts.get(derived.id);
    await accounts.put({ ...stored, announced: false });
    expect((await accounts.entries()).map(({ announced }) => announced)).toEqual([false, true]);
    read.length = 0;
    await idsNow();
    expect(read).toEqual([]);
    await accounts.remove(derived.id);
    expect(await idsNow()).toEqual([imported.id]);
    expect(await accounts.find(derived.id)).toBeUndefined();
  });

  it('is empty after a failed change', async () => {
    const { accounts, derived, fail, read, wallet } = await start();
    const stored = await accounts.get(derived.id);
    await accounts.entries();
    fail();
    await expect(accounts.put({ ...stored, announced: false })).rejects.toThrow('down');
    read.length = 0;
    expect((await accounts.get(derived.id)).announced).toBe(true);
    await accounts.entries();
    expect(read).toEqual([`accounts.${derived.id}`, 'accounts']);
    expect((wallet.state.accounts as Record<string, Json>)[derived.id]).toEqual(stored);
  });

  it('contains nothing that was read during a change', async () => {
    const { accounts, derived, imported, duringWrites } = await start();
    duringWrites(async () => [await accounts.get(derived.id), await accounts.entries()]);
    await accounts.remove(derived.id);
    duringWrites(() => Promise.resolve());
    expect(await accounts.find(derived.id)).toBeUndefined();
    expect((await accounts.entries()).map(({ account }) => account.id)).toEqual([imported.id]);
  });

  it('contains nothing that was read during a failed change', async () => {
    const { accounts, derived, duringWrites, fail, read } = await start();
    const stored = await accounts.get(derived.id);
    duringWrites(async () => [await accounts.get(derived.id), await accounts.entries()]);
    fail();
    await expect(accounts.put({ ...stored, announced: false })).rejects.toThrow('down');
    read.length = 0;
    await accounts.get(derived.id);
    await accounts.entries();
    expect(read).toEqual([`accounts.${derived.id}`, 'accounts']);
  });

  it('contains the latest settings', async () => {
    const { accounts, read } = await start();
    expect(await accounts.settings()).toEqual({ confirmSignatures: 'never' });
    await accounts.changeSettings({ confirmSignatures: 'always' });
    expect(await accounts.settings()).toEqual({ confirmSignatures: 'always' });
    expect(read).toEqual(['settings']);
  });
});

describe('accounts with the same ends of their addresses', () => {
  it('are found without reading the others, and are not found once they are deleted', async () => {
    const { accounts, derived, imported, read, wallet } = await start();
    const address = derived.address as `0x${string}`;
    const twin = `0x${address.slice(2, 6)}${'0'.repeat(32)}${address.slice(-4)}` as const;
    const found = async (one: `0x${string}`) => (await accounts.alike([one])).map(({ account }) => account.id);
    expect(await found(twin)).toEqual([derived.id]);
    expect(await found(address)).toEqual([derived.id]);
    const ends = (address.slice(2, 6) + address.slice(-4)).toLowerCase();
    // The other id is the one that a smart account with this address would have.
    expect(read.filter((key) => !key.startsWith('accounts.'))).toEqual([`ends.${ends}`]);
    expect(read).not.toContain('accounts');
    expect(read).not.toContain(`accounts.${imported.id}`);
    await accounts.remove(derived.id);
    expect(await found(address)).toEqual([]);
    expect(JSON.stringify(wallet.state.ends)).not.toContain(address.slice(2).toLowerCase());
    expect(await found(imported.address as `0x${string}`)).toEqual([imported.id]);
  });

  it('do not include one that is in the index alone', async () => {
    const { accounts, wallet } = await start();
    const stranger = `0x${'ab'.repeat(20)}` as const;
    wallet.write(`ends.abababab.${stranger}`, true);
    expect(await accounts.alike([stranger])).toEqual([]);
  });

  it('include an account whose first entry in the index could not be written', async () => {
    const { derived, wallet } = await start();
    wallet.write('ends', {});
    wallet.write(`accounts.${derived.id}.announced`, false);
    const { keyring } = startKeyring({ wallet });
    await keyring.createAccount({});
    const accounts = new AccountRepository({
      read: (key) => Promise.resolve(wallet.read(key)),
      write: () => Promise.reject(new Error('no')),
    });
    expect((await accounts.alike([derived.address as `0x${string}`])).map(({ account }) => account.id)).toEqual([
      derived.id,
    ]);
  });
});

describe('an account in use', () => {
  it('is read once, and its imported key again when needed', async () => {
    const { accounts, imported, read } = await start();
    await accounts.use(imported.id);
    const { entry, withKey } = await accounts.use(imported.id);
    expect(read).toEqual([`accounts.${imported.id}`]);
    expect(JSON.stringify(entry)).not.toContain(KEY.slice(2));
    expect((await withKey()).key).toEqual({ source: 'imported', privateKey: KEY });
    expect(JSON.stringify((await accounts.use(imported.id)).entry)).not.toContain(KEY.slice(2));
  });

  it('never has its key in an entry, not even the first time', async () => {
    const { accounts, imported } = await start();
    const { entry, withKey } = await accounts.use(imported.id);
    expect(JSON.stringify(entry)).not.toContain(KEY.slice(2));
    expect((await withKey()).key).toEqual({ source: 'imported', privateKey: KEY });
  });

  it('has the latest change, and no key after it was deleted', async () => {
    const { accounts, derived, imported } = await start();
    for (const { id } of [derived, imported]) {
      const { entry: before } = await accounts.use(id);
      const { withKey } = await accounts.use(id);
      await accounts.put({ ...(await withKey()), announced: false });
      const { entry: after } = await accounts.use(id);
      expect([before.announced, after.announced]).toEqual([true, false]);
      expect((await withKey()).announced).toBe(false);
      await accounts.remove(id);
      await expect(withKey()).rejects.toThrow('no Keystead account has this id');
      await expect(accounts.use(id)).rejects.toThrow('no Keystead account has this id');
    }
  });

  it('is not one that was read while it was being deleted', async () => {
    const { accounts, derived, imported, duringWrites } = await start();
    for (const { id } of [derived, imported]) {
      duringWrites(() => accounts.use(id));
      await accounts.remove(id);
      await expect(accounts.use(id)).rejects.toThrow('no Keystead account has this id');
    }
  });
});
