import { type Json } from '@metamask/snaps-sdk';

import { AccountRepository } from '../../../../src/snap/accounts/repository';
import { type StateStore } from '../../../../src/snap/platform/state';
import { startKeyring } from '../../../helpers/wallet/keyring';
import { WalletDouble } from '../../../helpers/wallet/wallet-double';

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
      await beforeWrite();
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
