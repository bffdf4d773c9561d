import { createHmac } from 'node:crypto';

import { keyringOf, startKeyring } from '../../../support/wallet/keyring';
import { WalletDouble } from '../../../support/wallet/wallet-double';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
/** The key that the simulated wallet derives at index 0. */
const KEY_0 = `0x${createHmac('sha256', 'test').update('keystead/eip155:eoa/0').digest('hex')}`;

const never = (): Promise<never> => new Promise(() => undefined);

describe('creating an account', () => {
  it('keeps an existing account if the wallet rejects the repeated announcement', async () => {
    const wallet = new WalletDouble();
    const { deps, keyring } = startKeyring({ wallet });
    const { id } = await keyring.createAccount({ privateKey: KEY });
    const refusing = keyringOf({
      ...deps,
      events: { ...deps.events, created: () => Promise.reject(new Error('no')) },
    });
    await expect(refusing.createAccount({ privateKey: KEY })).rejects.toThrow('no');
    expect(wallet.stored.has(id)).toBe(true);
    expect((await keyring.exportAccount(id)).privateKey).toBe(KEY);
  });

  it('skips an index whose key was imported before', async () => {
    const wallet = new WalletDouble();
    const { keyring } = startKeyring({ wallet });
    const imported = await keyring.createAccount({ privateKey: KEY_0 });
    const derived = await keyring.createAccount({});
    expect(derived.options.index).toBe(1);
    expect(derived.address).not.toBe(imported.address);
  });

  it('does not block others while a dialog is open', async () => {
    const wallet = new WalletDouble();
    const { deps, keyring } = startKeyring({ wallet });
    const { id } = await keyring.createAccount({});
    void keyringOf({ ...deps, consent: never }).createAccount({ privateKey: KEY });
    await keyring.createAccount({});
    await keyring.deleteAccount(id);
    await deps.mutations.runExclusive(() => deps.accounts.changeSettings({ confirmSignatures: 'always' }));
    expect(wallet.stored.size).toBe(1);
  });

  it('lets the wallet delete the account before it responds, and reports it', async () => {
    const wallet = new WalletDouble();
    const { deps, keyring } = startKeyring({ wallet });
    const nested = keyringOf({
      ...deps,
      events: { ...deps.events, created: ({ id }) => keyring.deleteAccount(id) },
    });
    await expect(nested.createAccount({})).rejects.toThrow('The wallet added the account and then deleted it.');
    expect(wallet.stored.size).toBe(0);
  });

  it('removes the account from a wallet that added it and then failed', async () => {
    const wallet = new WalletDouble();
    const { deps } = startKeyring({ wallet });
    const failing = keyringOf({
      ...deps,
      events: {
        ...deps.events,
        created: async (account, name) => {
          await deps.events.created(account, name);
          throw new Error('failed afterwards');
        },
      },
    });
    await expect(failing.createAccount({ privateKey: KEY })).rejects.toThrow('failed afterwards');
    expect([wallet.known.size, wallet.stored.size]).toEqual([0, 0]);
  });
});

describe('a damaged entry', () => {
  /** Damages the state while the snap is not running, because a running snap has cached it. */
  const restartDamaged = (wallet: WalletDouble, id: string) => {
    wallet.write(`accounts.${id}`, { account: 5 });
    return startKeyring({ wallet }).keyring;
  };

  it('does not affect the other accounts, and can be deleted', async () => {
    const wallet = new WalletDouble();
    const { keyring } = startKeyring({ wallet });
    const first = await keyring.createAccount({});
    const second = await keyring.createAccount({});
    const restarted = restartDamaged(wallet, first.id);
    expect(await restarted.listAccounts()).toEqual([second]);
    await expect(restarted.getAccount(first.id)).rejects.toThrow('damaged');
    await restarted.deleteAccount(first.id);
    expect(Object.keys(wallet.state.accounts as object)).toEqual([second.id]);
  });

  it('of a derived account is repaired by creating accounts', async () => {
    const wallet = new WalletDouble();
    const { keyring } = startKeyring({ wallet });
    const first = await keyring.createAccount({});
    await keyring.createAccount({});
    const restarted = restartDamaged(wallet, first.id);
    expect(await restarted.createAccount({})).toEqual(first);
    expect(await restarted.listAccounts()).toHaveLength(2);
  });
});

describe('exporting an account', () => {
  it('returns nothing for an account that was deleted while the dialog was open', async () => {
    const wallet = new WalletDouble();
    const { deps, keyring } = startKeyring({ wallet });
    const { id } = await keyring.createAccount({});
    const slow = keyringOf({ ...deps, consent: () => keyring.deleteAccount(id) });
    await expect(slow.exportAccount(id)).rejects.toThrow('no Keystead account has this id');
  });
});

describe('the name of a new account', () => {
  /** A keyring, and the names that were suggested to the wallet. */
  const named = (wallet = new WalletDouble()) => {
    const { deps } = startKeyring({ wallet });
    const names: string[] = [];
    const events = {
      ...deps.events,
      created: (...[account, name]: Parameters<typeof deps.events.created>) => {
        names.push(name);
        return deps.events.created(account, name);
      },
    };
    return { names, keyring: keyringOf({ ...deps, events }) };
  };

  const smart = { type: 'eip155:erc4337', chainId: 'eip155:1', index: 0 };

  it('is suggested to the wallet and kept as the label', async () => {
    const { names, keyring } = named();
    const accounts = [
      await keyring.createAccount({ label: 'Everyday' }),
      await keyring.createAccount({ privateKey: KEY, label: 'Old' }),
      await keyring.createAccount({ ...smart, label: 'Savings' }),
      await keyring.createAccount({}),
    ];
    expect(names).toEqual(['Everyday', 'Old', 'Savings', 'Keystead 2']);
    expect(accounts.map(({ options }) => options.label)).toEqual(['Everyday', 'Old', 'Savings', undefined]);
  });

  it('does not decide which account is created', async () => {
    const one = await named().keyring.createAccount({ ...smart, label: 'One' });
    const other = await named().keyring.createAccount({ ...smart, label: 'Other' });
    expect(other).toEqual({ ...one, options: { ...one.options, label: 'Other' } });
  });

  it('cannot rename an account that the wallet has', async () => {
    const { keyring } = named();
    for (const options of [smart, { privateKey: KEY }]) {
      const first = await keyring.createAccount({ ...options, label: 'Savings' });
      expect(await keyring.createAccount({ ...options, label: 'Attacker' })).toEqual(first);
      expect(await keyring.createAccount(options)).toEqual(first);
    }
    await keyring.createAccount({ ...smart, chainId: 'eip155:5', label: 'Attacker' });
    expect((await keyring.listAccounts()).map(({ options }) => options.label)).toEqual(['Savings', 'Savings']);
  });

  it('is the last one given for an account whose creation was interrupted', async () => {
    const wallet = new WalletDouble();
    const { deps, keyring } = startKeyring({ wallet });
    const { id } = await keyring.createAccount({ label: 'First' });
    await deps.accounts.put({ ...(await deps.accounts.get(id)), announced: false });
    const { names, keyring: restarted } = named(wallet);
    const repeated = await restarted.createAccount({ label: 'Second' });
    expect([repeated.id, repeated.options.label, names]).toEqual([id, 'Second', ['Second']]);
    expect((await startKeyring({ wallet }).keyring.getAccount(id)).options.label).toBe('Second');
  });

  it.each([[''], ['   '], ['x'.repeat(65)], ['two\nlines'], ['hid\u202eden'], [5]])('cannot be %j', async (label) => {
    const { keyring } = named();
    for (const options of [{}, smart, { privateKey: KEY }])
      await expect(keyring.createAccount({ ...options, label })).rejects.toThrow(
        'options.label: must be 1 to 64 characters of text',
      );
    expect(await keyring.listAccounts()).toEqual([]);
  });

  it('has no other spelling', async () => {
    for (const option of ['name', 'accountNameSuggestion'])
      await expect(named().keyring.createAccount({ [option]: 'Savings' })).rejects.toThrow(`options.${option}`);
  });
});
