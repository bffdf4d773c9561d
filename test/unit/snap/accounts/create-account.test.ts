import { createHmac } from 'node:crypto';

import { keyringOf, startKeyring } from '../../../helpers/wallet/keyring';
import { WalletDouble } from '../../../helpers/wallet/wallet-double';

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
