import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';
import { getAddress, hashMessage, type Hex, stringToHex } from 'viem';

import { type TypedData } from '../../../src/core/eth/typed-data';
import { type Kept } from '../../../src/core/ledger/signed/kept';
import { messageTypedData, newMessage } from '../../../src/core/schemas/safe-message';
import { typedData } from '../../support/explaining';
import { flat } from '../../support/screen-text';
import { answerOf, DAPP, SnapInProcess } from '../../support/wallet/in-process';
import { walletError } from '../../support/wallet/installed';
import { WalletDouble } from '../../support/wallet/wallet-double';

const TOKEN: Hex = `0x${'c3'.repeat(20)}`;
const SPENDER: Hex = `0x${'b2'.repeat(20)}`;
const MAX = 2n ** 256n - 1n;
const PERMIT = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)';

/** The built snap in this process with one account. The person approves every dialog. */
async function start() {
  const wallet = new WalletDouble({ phrase: 'test' });
  const snap = new SnapInProcess(wallet, 'built');
  const call = <T = Json>(method: string, params?: Json) => answerOf<T>(snap.keyring(method, params));
  const { id, address } = (await call<KeyringAccount>('keyring_createAccount', { options: {} })).result!;
  const permit = (value: bigint, more: object = {}): Json =>
    typedData(
      PERMIT,
      { name: 'Evil\u202eUSDC', version: '1', chainId: 1, verifyingContract: TOKEN },
      { owner: address, spender: SPENDER, value: `${value}`, nonce: '0', deadline: '99999999999', ...more },
    ) as unknown as Json;
  return {
    wallet,
    snap,
    call,
    id,
    address,
    permit,
    sign: (data: Json) =>
      answerOf<{ pending: boolean; result: Hex }>(snap.submit(id, 'eth_signTypedData_v4', [address, data], 'eip155:1')),
    kept: async () => (await call<Kept[]>('keystead_getSignatures')).result!,
    home: async () => flat((await snap.home()) as object),
  };
}

describe('what was signed and still counts', () => {
  it('is never told to a site', async () => {
    const { permit, sign, snap } = await start();
    await sign(permit(MAX));
    for (const method of ['keystead_getSignatures', 'keystead_noteSignature'])
      expect(JSON.stringify((await answerOf(snap.dapp(method, {}))).error)).toContain('method-unsupported');
  });

  it('is listed as the Safe’s if the account signed it as one of the owners', async () => {
    const { address, call, home, kept, permit } = await start();
    const safe: Hex = `0x${'5a'.repeat(20)}`;
    const data = permit(MAX, { owner: safe });
    const params = { account: address, safe, chainId: 'eip155:1', typedData: data };
    expect((await call('keystead_signAsOwner', params)).error).toBeUndefined();
    const { hash } = newMessage({ typedData: data as unknown as TypedData }, safe, 1n);
    expect(await kept()).toMatchObject([
      { account: address, forSafe: { address: safe }, chainId: 'eip155:1', hash, isDangerous: true },
    ]);
    expect(await home()).toContain(`For the Safe ${getAddress(safe)}`);
  });

  it('is listed in whatever form an owner signs it, with the form that tells most', async () => {
    const { address, call, kept, permit, sign } = await start();
    const safe: Hex = `0x${'5a'.repeat(20)}`;
    const message = newMessage({ typedData: permit(MAX, { owner: safe }) as unknown as TypedData }, safe, 1n);
    const bare = messageTypedData(message) as unknown as Json;
    await sign(bare);
    expect(await kept()).toMatchObject([{ account: address, hash: message.hash, isDangerous: true }]);
    const params = { account: address, safe, chainId: 'eip155:1', ...(message.content as { typedData: never }) };
    await call('keystead_signAsOwner', params);
    await sign(bare);
    expect(await kept()).toMatchObject([{ hash: message.hash, forSafe: { address: safe } }]);
  });

  it('is listed if nobody can read it: a hash may stand for anything, a text does not', async () => {
    const { address, home, kept, snap, id } = await start();
    const sign = (message: Hex) => answerOf(snap.submit(id, 'personal_sign', [message, address], 'eip155:1'));
    await sign(stringToHex('Sign in to dapp.example'));
    expect(await kept()).toEqual([]);
    const hash: Hex = `0x${'9c'.repeat(32)}`;
    await sign(hash);
    const [one] = await kept();
    expect(one).toMatchObject({ account: address, hash: hashMessage({ raw: hash }), isDangerous: true });
    expect(one).not.toHaveProperty('until');
    expect(await home()).toContain('Can be used until no end');
  });

  it('stays if the same cannot be signed once more', async () => {
    const { kept, permit, sign, wallet } = await start();
    await sign(permit(MAX));
    const before = await kept();
    wallet.order = (name) =>
      name.startsWith('snap_getEntropy') ? Promise.reject(walletError('no key')) : Promise.resolve();
    for (const value of [MAX, 5n]) expect((await sign(permit(value))).error).toBeDefined();
    expect(await kept()).toMatchObject(before.map(({ hash }) => ({ hash })));
  });

  it('is recorded before the signature is handed out: without a record there is none', async () => {
    const { kept, permit, sign, wallet } = await start();
    const order = wallet.order;
    wallet.order = (name) =>
      name.startsWith('snap_setState signed') ? Promise.reject(walletError('no room')) : Promise.resolve();
    const { result, error } = await sign(permit(MAX));
    expect(result).toBeUndefined();
    expect(error?.message).toContain('could not store');
    wallet.order = order;
    expect(await kept()).toEqual([]);
    // What takes a permission back needs no record.
    wallet.order = (name) =>
      name.startsWith('snap_setState signed') ? Promise.reject(walletError('no room')) : Promise.resolve();
    expect((await sign(permit(0n))).error).toBeUndefined();
  });

  it('stays on the home page, with site, network and end, and says which node calls it used', async () => {
    const { address, call, home, kept, permit, sign } = await start();
    expect(await home()).not.toContain('still count');
    await sign(permit(MAX));
    const [one] = await kept();
    expect(one).toMatchObject({ account: address, origin: DAPP, chainId: 'eip155:1', isDangerous: true });
    const before = await home();
    for (const shown of ['Signed and may still count', DAPP, 'Ethereum', 'Can be used until', one!.title])
      expect(before).toContain(shown);
    expect(before).not.toContain('\u202e');
    // A node can lie, so it says so in its name, and the signature stays known.
    await call('keystead_noteSignature', { account: address, hash: one!.hash, goneAt: 'the node at liar.example' });
    expect(await home()).toContain('1 more signature used or cancelled, according to the node at liar.example.');
    expect(await kept()).toEqual([{ ...one, goneAt: 'the node at liar.example' }]);
    await call('keystead_noteSignature', { account: address, hash: one!.hash, goneAt: null });
    expect(await home()).toContain(one!.title);
  });

  it('is in the backup, and comes back', async () => {
    const { call, kept, permit, sign, wallet } = await start();
    await sign(permit(MAX));
    const { file } = (await call<{ file: string }>('keystead_backUp', { onlyFile: true })).result!;
    expect(wallet.dialogs.at(-1)?.text).toContain('Signatures that may still count 1');
    const other = new SnapInProcess(new WalletDouble({ phrase: 'test' }), 'built');
    expect((await answerOf(other.keyring('keystead_restore', { file }))).error).toBeUndefined();
    expect((await answerOf<Kept[]>(other.keyring('keystead_getSignatures'))).result).toEqual(await kept());
  });

  it('goes with its account', async () => {
    const { call, kept, permit, sign } = await start();
    await sign(permit(5n));
    const [account] = (await call<KeyringAccount[]>('keyring_listAccounts')).result!;
    await call('keyring_deleteAccount', { id: account!.id });
    expect(await kept()).toEqual([]);
  });

  it('stays while the account is left that it is for', async () => {
    const { address, call, kept, permit } = await start();
    const other = (await call<KeyringAccount>('keyring_createAccount', { options: {} })).result!;
    const typedData = permit(MAX, { owner: other.address });
    await call('keystead_signAsOwner', { account: address, safe: other.address, chainId: 'eip155:1', typedData });
    const accounts = (await call<KeyringAccount[]>('keyring_listAccounts')).result!;
    for (const { id } of accounts) {
      expect(await kept()).toMatchObject([{ account: address }]);
      await call('keyring_deleteAccount', { id });
    }
    expect(await kept()).toEqual([]);
  });
});
