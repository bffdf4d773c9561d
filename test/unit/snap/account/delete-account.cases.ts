import { type Hex } from '../../../../src/core/eth/bytes';
import { keyringOf, startKeyring } from '../../../support/wallet/keyring';
import { type Fault, WALLET_FAULTS } from '../../../support/wallet/faults';
import { WalletDouble } from '../../../support/wallet/wallet-double';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const PAGE = 'http://localhost:8000';

describe('deleting at the request of a page', () => {
  it('asks if a key would be lost, and keeps the account if the user rejects', async () => {
    const wallet = new WalletDouble();
    const { id } = await startKeyring({ wallet }).keyring.createAccount({ privateKey: KEY });
    await expect(startKeyring({ wallet, origin: PAGE, consents: false }).keyring.deleteAccount(id)).rejects.toThrow(
      'rejected',
    );
    expect(wallet.stored.has(id)).toBe(true);
    await startKeyring({ wallet, origin: PAGE }).keyring.deleteAccount(id);
    expect(wallet.stored.has(id)).toBe(false);
  });

  it('does not ask for a derived account, which can be created again', async () => {
    const wallet = new WalletDouble();
    const { id } = await startKeyring({ wallet }).keyring.createAccount({});
    wallet.plan();
    await startKeyring({ wallet, origin: PAGE }).keyring.deleteAccount(id);
    expect(wallet.calls).not.toContain('consent');
    expect(wallet.stored.size).toBe(0);
  });
});

describe('deleting', () => {
  it('drops the record of where the account has sent to, and no other', async () => {
    const { deps, keyring } = startKeyring({ wallet: new WalletDouble() });
    const [first, second] = [await keyring.createAccount({}), await keyring.createAccount({})];
    const [mine, other] = [first.address as Hex, second.address as Hex];
    await deps.recipients.remember(mine, [other]);
    await deps.recipients.remember(other, [mine]);
    await keyring.deleteAccount(first.id);
    expect(await deps.recipients.used(mine)).toEqual([]);
    expect(await deps.recipients.used(other)).toEqual([mine.toLowerCase()]);
  });
});

describe('deleting, with one failing call', () => {
  /** A wallet with one derived account. */
  async function walletWithOne(): Promise<{ wallet: WalletDouble; id: string }> {
    const wallet = new WalletDouble();
    const { id } = await startKeyring({ wallet }).keyring.createAccount({});
    wallet.plan();
    return { wallet, id };
  }

  async function deleteWithFault(wallet: WalletDouble, id: string, at: number, fault: Fault): Promise<void> {
    await new Promise<void>((resolve) => {
      wallet.plan({ at, fault }, resolve);
      startKeyring({ wallet })
        .keyring.deleteAccount(id)
        .then(resolve, () => {
          resolve();
        });
    });
    wallet.plan();
  }

  const eachFault = async (
    check: (wallet: WalletDouble, id: string, where: string) => Promise<void>,
    before: (wallet: WalletDouble, id: string) => void = () => undefined,
  ): Promise<void> => {
    const probe = await walletWithOne();
    await startKeyring(probe).keyring.deleteAccount(probe.id);
    const calls = [...probe.wallet.calls];
    expect(calls).toContain('deleted');
    for (let at = 0; at < calls.length; at++) {
      for (const fault of WALLET_FAULTS) {
        const { wallet, id } = await walletWithOne();
        before(wallet, id);
        await deleteWithFault(wallet, id, at, fault);
        await check(wallet, id, `call ${at} (${calls[at] ?? ''}) ${fault}`);
      }
    }
  };

  it('never leaves the wallet with an account that is missing here, and completes when repeated', () =>
    eachFault(async (wallet, id, where) => {
      for (const known of wallet.known.keys())
        expect({ where, has: wallet.stored.has(known) }).toEqual({ where, has: true });
      await startKeyring({ wallet }).keyring.deleteAccount(id);
      expect({ where, left: [wallet.known.size, wallet.stored.size] }).toEqual({ where, left: [0, 0] });
    }));

  it('keeps every account reachable: if MetaMask removes it regardless of our response, the next creation announces it', () =>
    eachFault(
      async (wallet, id, where) => {
        const account = await startKeyring({ wallet }).keyring.createAccount({});
        // After a rejection or kill before our first write, the account is still announced, although MetaMask has
        // already removed it. It is then still listed and can be deleted again.
        const untouched = account.id !== id;
        if (untouched) expect(where).toMatch(/^call [01234] /u);
        expect({ where, stored: wallet.stored.has(id) }).toEqual({ where, stored: true });
      },
      (wallet, id) => {
        wallet.drop(id);
      },
    ));
});

describe('concurrent deletions', () => {
  it('responds to MetaMask, which requests the same deletion before it responds to the event', async () => {
    const wallet = new WalletDouble();
    const page = startKeyring({ wallet, origin: PAGE });
    const metamask = keyringOf({ ...page.deps, origin: 'metamask' });
    const { id } = await metamask.createAccount({});
    const told = page.deps.events.deleted;
    const deps = {
      ...page.deps,
      events: {
        ...page.deps.events,
        deleted: async (deleted: string) => {
          await metamask.deleteAccount(deleted);
          await told(deleted);
        },
      },
    };
    await keyringOf(deps).deleteAccount(id);
    expect(wallet.stored.size).toBe(0);
  });

  it('does not wait for another deletion that the wallet has not confirmed', async () => {
    const wallet = new WalletDouble();
    const { deps, keyring } = startKeyring({ wallet });
    const first = await keyring.createAccount({});
    const second = await keyring.createAccount({});
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const slow = keyringOf({ ...deps, events: { ...deps.events, deleted: () => held } });
    const pending = slow.deleteAccount(first.id);
    await keyring.deleteAccount(second.id);
    expect([...wallet.stored.keys()]).toEqual([first.id]);
    answer();
    await pending;
    expect(wallet.stored.size).toBe(0);
  });

  it.each(['metamask', PAGE])('deletes only once if %s requests it twice at the same time', async (origin) => {
    const wallet = new WalletDouble();
    const { keyring } = startKeyring({ wallet, origin });
    const { id } = await keyring.createAccount({});
    wallet.plan();
    await Promise.all([keyring.deleteAccount(id), keyring.deleteAccount(id)]);
    expect(wallet.calls.filter((call) => call === 'deleted')).toHaveLength(1);
    expect([wallet.stored.size, wallet.known.size]).toEqual([0, 0]);
  });

  it('returns the outcome of the first deletion to a second request from a page', async () => {
    const wallet = new WalletDouble();
    const { deps, keyring } = startKeyring({ wallet, origin: PAGE });
    const { id } = await keyring.createAccount({});
    let refuse: (reason: Error) => void = () => undefined;
    const held = new Promise<void>((_resolve, reject) => {
      refuse = reject;
    });
    const slow = keyringOf({ ...deps, events: { ...deps.events, deleted: () => held } });
    const both = [slow.deleteAccount(id), slow.deleteAccount(id)];
    refuse(new Error('not now'));
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(wallet.stored.has(id)).toBe(true);
  });
});
