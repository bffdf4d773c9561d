import { chainOfScope } from '../../../../src/core/schemas/chain';
import { chainOfRequest } from '../../../../src/snap/account/operation-request';
import { isSmart, type StoredAccount, type StoredSmartAccount } from '../../../../src/snap/account/account';
import { InternalError, type InvalidParamsError } from '../../../../src/core/errors';
import { type AccountKey, signFor, withPrivateKey } from '../../../../src/snap/account/keys';
import { smartAccountOf } from '../../../../src/snap/account/smart-account';
import { keyringOf, startKeyring } from '../../../support/wallet/keyring';
import { SECRET_OF_THE_WALLET } from '../../../support/wallet/faults';
import { WalletDouble } from '../../../support/wallet/wallet-double';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const ID = '7c507ff0-365f-4de0-8cd5-eb83c30ebda4';
const digest = new Uint8Array(32).fill(7);

/** The same account with another account's key. */
const withAnotherKey = <Stored extends StoredAccount>(stored: Stored): Stored => ({
  ...stored,
  key: { source: 'derived', index: 5 },
});

describe('a stored account with another account’s key', () => {
  it.each([
    ['externally owned', {}],
    ['smart', { type: 'eip155:erc4337', chainId: 'eip155:1' }],
  ])('signs nothing, before and after its own key has signed: %s', async (_kind, options) => {
    const { deps, keyring } = startKeyring({ wallet: new WalletDouble() });
    const { id } = await keyring.createAccount(options);
    const stored = await deps.accounts.get(id);
    const damaged = withAnotherKey(stored);
    await expect(signFor(damaged, deps.entropy, digest)).rejects.toThrow(InternalError);
    // The first signature caches the signer, the second prepares its key, and the third is checked against it.
    for (let time = 0; time < 3; time++) {
      await expect(signFor(stored, deps.entropy, digest)).resolves.toBeDefined();
      await expect(signFor(damaged, deps.entropy, digest)).rejects.toThrow('The signature was not returned');
    }
  });

  it('is not exported', async () => {
    const { deps, keyring } = startKeyring({ wallet: new WalletDouble() });
    const { id } = await keyring.createAccount({});
    await deps.accounts.put(withAnotherKey(await deps.accounts.get(id)));
    await expect(keyring.exportAccount(id)).rejects.toThrow('The key was not returned');
  });

  it('does not affect the signatures of other signers, however many there are', async () => {
    const { deps, keyring } = startKeyring({ wallet: new WalletDouble() });
    const all: StoredAccount[] = [];
    for (let index = 0; index < 20; index++) all.push(await deps.accounts.get((await keyring.createAccount({})).id));
    for (const stored of [...all, ...all, ...all.slice().reverse()])
      await expect(signFor(stored, deps.entropy, digest)).resolves.toBeDefined();
    for (const stored of all.slice(6))
      await expect(signFor(withAnotherKey(stored), deps.entropy, digest)).rejects.toThrow();
  });
});

describe('withPrivateKey', () => {
  it.each<[string, AccountKey['source']]>([
    ['derived', { source: 'derived', index: 0 }],
    ['imported', { source: 'imported', privateKey: KEY }],
  ])('is wiped after its use, whether that failed or not: %s', async (_kind, source) => {
    const { deps } = startKeyring({ wallet: new WalletDouble() });
    const lent: Uint8Array[] = [];
    const use = (fails: boolean) => (privateKey: Uint8Array) => {
      expect(privateKey.some((byte) => byte !== 0)).toBe(true);
      lent.push(privateKey);
      if (fails) throw new Error('failed');
    };
    await withPrivateKey({ source, purpose: 'eip155:eoa' }, deps.entropy, use(false));
    await expect(withPrivateKey({ source, purpose: 'eip155:eoa' }, deps.entropy, use(true))).rejects.toThrow('failed');
    expect(lent).toEqual([new Uint8Array(32), new Uint8Array(32)]);
  });
});

describe('a recovery phrase that yields no valid key', () => {
  it.each(['00', 'ff'])('creates no account: 32 bytes of %s', async (byte) => {
    const { deps } = startKeyring({ wallet: new WalletDouble() });
    const entropy = () => Promise.resolve(new Uint8Array(Buffer.from(byte.repeat(32), 'hex')));
    await expect(keyringOf({ ...deps, entropy }).createAccount({})).rejects.toThrow('yields no valid key at index 0');
    expect(await deps.accounts.list()).toEqual([]);
  });
});

describe('an account that is deleted while its dialog is open', () => {
  it('does not sign', async () => {
    const wallet = new WalletDouble();
    const { keyring } = startKeyring({ wallet });
    const { id, address } = await keyring.createAccount({});
    // Restarted, so the account is read for this request.
    const { deps } = startKeyring({ wallet });
    await deps.accounts.changeSettings({ confirmSignatures: 'always' });
    const slow = keyringOf({ ...deps, consent: () => keyringOf(deps).deleteAccount(id) });
    const request = { method: 'personal_sign', params: ['0x6869', address] };
    await expect(
      slow.submitRequest({ id: ID, origin: 'metamask', scope: 'eip155:1', account: id, request }),
    ).rejects.toThrow('no Keystead account has this id');
  });
});

describe('the chain of a request of a smart account', () => {
  async function smartOn(...chains: readonly string[]) {
    const { deps, keyring } = startKeyring({ wallet: new WalletDouble() });
    let id = '';
    for (const chainId of chains) ({ id } = await keyring.createAccount({ type: 'eip155:erc4337', chainId, index: 0 }));
    const stored = await deps.accounts.get(id);
    if (!isSmart(stored)) throw new Error('not a smart account');
    const ask = (scope: string) =>
      chainOfRequest(
        stored as StoredSmartAccount,
        smartAccountOf(stored),
        { chainId: chainOfScope(scope), caller: 'metamask' },
        deps,
      );
    return { ask, scopes: stored.account.scopes };
  }
  const notSetUp = (chain: string) => `must be a network that is set up in Keystead; ${chain} is not`;

  it('is its only chain if the scope names none', async () => {
    const { ask } = await smartOn('eip155:1');
    for (const scope of ['', 'eip155:0', 'eip155:1']) await expect(ask(scope)).rejects.toThrow(notSetUp('eip155:1'));
  });

  it('is never guessed for an account on several chains', async () => {
    const { ask, scopes } = await smartOn('eip155:1', 'eip155:10');
    expect(scopes).toEqual(['eip155:1', 'eip155:10']);
    for (const scope of ['', 'eip155:0'])
      await expect(ask(scope)).rejects.toThrow("must be one of the account's chains: eip155:1, eip155:10");
    await expect(ask('eip155:10')).rejects.toThrow(notSetUp('eip155:10'));
  });

  it('must be one of the account’s chains', async () => {
    const { ask } = await smartOn('eip155:1');
    await expect(ask('eip155:5')).rejects.toThrow(expect.objectContaining({ field: 'scope' }) as InvalidParamsError);
  });
});

describe('a deletion requested by the wallet', () => {
  it('stops if the account cannot be read: only a damaged account counts as absent', async () => {
    const wallet = new WalletDouble();
    const { id } = await startKeyring({ wallet }).keyring.createAccount({});
    const { keyring } = startKeyring({ wallet });
    wallet.plan({ at: 0, fault: 'fails' });
    await expect(keyring.deleteAccount(id)).rejects.toThrow(`failed with ${SECRET_OF_THE_WALLET}`);
    expect([...wallet.known.keys(), ...wallet.stored.keys()]).toEqual([id, id]);
  });
});

describe('an account that the wallet rejected', () => {
  it('can be created again, and then deleted', async () => {
    const wallet = new WalletDouble();
    const { deps, keyring } = startKeyring({ wallet });
    const refusing = keyringOf({
      ...deps,
      events: { ...deps.events, created: () => Promise.reject(new Error('no')) },
    });
    await expect(refusing.createAccount({ privateKey: KEY })).rejects.toThrow('no');
    expect(deps.deleting.size).toBe(0);
    const { id } = await keyring.createAccount({ privateKey: KEY });
    await keyring.deleteAccount(id);
    expect([wallet.known.size, wallet.stored.size]).toEqual([0, 0]);
  });
});

describe('the suggested account name', () => {
  it.each<[object, string]>([
    [{}, 'Keystead 1'],
    [{ privateKey: KEY }, 'Imported account ADDR'],
    [{ type: 'eip155:erc4337', chainId: 'eip155:1', index: 4 }, 'Smart account 5'],
    [{ type: 'eip155:erc4337', chainId: 'eip155:1', kind: 'safe-0.7', privateKey: KEY }, 'Imported Safe ADDR'],
  ])('of %j is %s', async (options, name) => {
    const { deps } = startKeyring({ wallet: new WalletDouble() });
    const created = jest.fn(deps.events.created);
    const keyring = keyringOf({ ...deps, events: { ...deps.events, created } });
    const account = await keyring.createAccount(options as Parameters<typeof keyring.createAccount>[0]);
    expect(created.mock.calls[0]?.[1]).toBe(name.replace('ADDR', account.address.slice(2, 6)));
  });
});
