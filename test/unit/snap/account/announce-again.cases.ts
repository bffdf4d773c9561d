import { announceAgain, getUnannounced } from '../../../../src/snap/account/announce-again';
import { startKeyring } from '../../../support/wallet/keyring';
import { WalletDouble } from '../../../support/wallet/wallet-double';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';

/** A keyring with an imported account that the wallet lacks, as after a crash of either side. */
async function startLacking() {
  const wallet = new WalletDouble();
  const { deps, keyring } = startKeyring({ wallet });
  const other = await keyring.createAccount({});
  const { id } = await keyring.createAccount({ privateKey: KEY, label: 'Old' });
  wallet.drop(id);
  await deps.accounts.put({ ...(await deps.accounts.get(id)), announced: false });
  return { wallet, deps, id, other };
}

describe('keystead_getUnannounced', () => {
  it('names the accounts that the wallet never confirmed', async () => {
    const { deps, id } = await startLacking();
    expect(await getUnannounced(undefined, deps)).toEqual([id]);
  });
});

describe('keystead_announceAccount', () => {
  it('gives the wallet an account that it lacks, under its name', async () => {
    const { wallet, deps, id } = await startLacking();
    const names: string[] = [];
    const events = {
      ...deps.events,
      created: (...[account, name]: Parameters<typeof deps.events.created>) => {
        names.push(name);
        return deps.events.created(account, name);
      },
    };
    await announceAgain({ id }, { ...deps, events });
    expect([wallet.known.has(id), names, await getUnannounced(undefined, deps)]).toEqual([true, ['Old'], []]);
  });

  it('keeps an account that the person refuses again, with its key', async () => {
    const { deps, id } = await startLacking();
    const events = { ...deps.events, created: () => Promise.reject(new Error('denied')) };
    await expect(announceAgain({ id }, { ...deps, events })).rejects.toThrow('denied');
    expect((await deps.accounts.get(id)).key).toEqual({ source: 'imported', privateKey: KEY });
    expect(await getUnannounced(undefined, deps)).toEqual([id]);
  });

  it('changes nothing about an account that the wallet has', async () => {
    const { wallet, deps, other } = await startLacking();
    const before = await deps.accounts.get(other.id);
    await announceAgain({ id: other.id }, deps);
    expect(await deps.accounts.get(other.id)).toEqual(before);
    expect(wallet.known.size).toBe(1);
  });

  it('gives the wallet an account back that it lost without a word', async () => {
    const { wallet, deps, other } = await startLacking();
    wallet.drop(other.id);
    await announceAgain({ id: other.id }, deps);
    expect(wallet.known.has(other.id)).toBe(true);
  });

  it('does not ask while the wallet asks about another account', async () => {
    const { deps, id, other } = await startLacking();
    const open: string[] = [];
    let answer: () => void = () => undefined;
    const events = {
      ...deps.events,
      created: (account: { readonly id: string }) => {
        open.push(account.id);
        return new Promise<void>((resolve) => {
          answer = resolve;
        });
      },
    };
    const first = announceAgain({ id: other.id }, { ...deps, events });
    const second = announceAgain({ id }, { ...deps, events });
    await new Promise(setImmediate);
    expect(open).toEqual([other.id]);
    answer();
    await first;
    await new Promise(setImmediate);
    expect(open).toEqual([other.id, id]);
    answer();
    await second;
  });

  it.each([[undefined], [{}], [{ id: 'x' }], [{ id: '26564bca-05f7-4b72-a8a8-cca977f1b98c', force: true }]])(
    'refuses %j',
    async (params) => {
      const { deps } = await startLacking();
      await expect(announceAgain(params, deps)).rejects.toThrow('params');
    },
  );

  it('refuses an account that does not exist', async () => {
    const { deps } = await startLacking();
    await expect(announceAgain({ id: '00000000-0000-4000-8000-000000000000' }, deps)).rejects.toThrow(
      'no Keystead account has this id',
    );
  });
});
