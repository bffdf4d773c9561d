import { expect } from '@jest/globals';
import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';
import { type Hex, recoverMessageAddress, stringToHex } from 'viem';

import { answerOf, SnapInProcess } from '../../support/wallet/in-process';
import { installKeystead, walletError } from '../../support/wallet/installed';
import { WalletDouble } from '../../support/wallet/wallet-double';
import version2 from '../states/version-2.json';

const stored = version2.state as unknown as Record<string, Json>;
const everyAccount = Object.values(version2.state.accounts).map(
  ({ account }) => account,
) as unknown as KeyringAccount[];
/** A derived and an imported one. */
const accounts = everyAccount.filter(({ type }) => type === 'eip155:eoa');

type State = Record<string, Json>;

/** The built snap in this process, with a state. The person approves every dialog. */
function startOn(state: State = {}) {
  const wallet = new WalletDouble({ state });
  const snap = new SnapInProcess(wallet, 'built');
  const call = (method: string, params?: Json) => answerOf(snap.keyring(method, params));
  const sign = ({ id, address }: KeyringAccount) => answerOf(snap.submit(id, 'personal_sign', ['0x00', address]));
  return { wallet, call, sign };
}

describe('the stored state', () => {
  it('of an earlier release is read, and its imported account signs', async () => {
    const { call, sign } = await installKeystead({ state: stored });
    expect((await call('keyring_listAccounts')).result).toEqual(everyAccount);
    const message = 'Hello, world!';
    // The others are of another recovery phrase.
    const [, { id, address }] = accounts as [KeyringAccount, KeyringAccount];
    const { result } = await sign(id, 'personal_sign', [stringToHex(message), address]);
    expect(await recoverMessageAddress({ message, signature: result?.result as Hex })).toBe(address);
  });

  it('of a newer version is not changed, with an explanation', async () => {
    const { call } = startOn({ ...stored, version: 3 });
    for (const [method, params] of [
      ['keyring_listAccounts', undefined],
      ['keyring_createAccount', { options: {} }],
    ] as [string, Json | undefined][]) {
      expect((await call(method, params)).error).toMatchObject({
        code: -32603,
        data: { code: 'state-damaged' },
        message: expect.stringMatching(
          /newer version of Keystead \(state version 3; this version reads 2\)/u,
        ) as unknown as string,
      });
    }
  });

  it('with one damaged account does not prevent the others from signing', async () => {
    const [first, second] = accounts as [KeyringAccount, KeyringAccount];
    const damaged = {
      ...stored,
      accounts: { ...(stored.accounts as Record<string, Json>), [first.id]: { account: 5 } },
    };
    const { sign } = startOn(damaged);
    expect((await sign(first)).error?.message).toMatch(/is damaged. Nothing was changed/u);
    expect((await sign(second)).result).toMatchObject({ pending: false });
  });

  it('with settings that cannot be read asks before it signs', async () => {
    const [, imported] = accounts as [KeyringAccount, KeyringAccount];
    const { wallet, sign } = startOn({ ...stored, settings: { confirmSignatures: 5 } });
    await sign(imported);
    expect(wallet.calls).toContain('snap_dialog confirmation');
  });

  it('whose key belongs to another address signs nothing', async () => {
    const [first] = accounts as [KeyringAccount];
    const wrong = structuredClone(stored) as { accounts: Record<string, { key: Json }> };
    const entry = wrong.accounts[first.id];
    if (entry !== undefined) entry.key = { source: 'imported', privateKey: `0x${'11'.repeat(32)}` };
    const { sign } = startOn(wrong as unknown as State);
    const { error, result } = await sign(first);
    expect(result).toBeUndefined();
    expect(error?.message).toBe('The key of this account belongs to another address. The signature was not returned.');
  });

  it('whose key belongs to another account does not export that key', async () => {
    const [first, imported] = accounts as [KeyringAccount, KeyringAccount];
    const wrong = structuredClone(stored) as { accounts: Record<string, { key: Json }> };
    wrong.accounts[first.id]!.key = { source: 'derived', index: 1 };
    const { wallet, call } = startOn(wrong as unknown as State);
    const exported = (id: string) => call('keyring_exportAccount', { id });
    expect(await exported(first.id)).toMatchObject({
      error: { message: 'The key of this account belongs to another address. The key was not returned.' },
    });
    const { privateKey } = version2.state.accounts['b371a894-f766-487a-95a8-46bd6416ed9d'].key;
    expect(await exported(imported.id)).toMatchObject({ result: { privateKey } });
    expect(wallet.dialogs).toHaveLength(2);
  });

  it('that is temporarily unreadable is read the next time', async () => {
    let down = true;
    const { wallet, call } = startOn();
    wallet.order = (name) =>
      down && name.startsWith('snap_getState')
        ? Promise.reject(walletError(`secret ${JSON.stringify(stored)}`))
        : Promise.resolve();
    const { error } = await call('keyring_listAccounts');
    expect(error?.message).toBe('The wallet could not read the data that Keystead has stored. Try again.');
    down = false;
    await call('keyring_createAccount', { options: {} });
    expect((await call('keyring_listAccounts')).result).toHaveLength(1);
  });
});

describe('a failing wallet', () => {
  it.each(['snap_getEntropy', 'snap_getState', 'snap_setState', 'snap_dialog'])(
    "whose %s fails gives an error without the wallet's own message",
    async (failing) => {
      const { wallet, call } = startOn();
      wallet.order = (name) => (name.startsWith(failing) ? Promise.reject(walletError('0x5ec4e7')) : Promise.resolve());
      const privateKey = `0x${'42'.repeat(32)}`;
      const options = failing === 'snap_getEntropy' ? {} : { privateKey };
      const { error } = await call('keyring_createAccount', { options });
      expect(typeof error?.code).toBe('number');
      expect(JSON.stringify(error)).not.toMatch(/5ec4e7|4242/u);
      expect(error?.message).toMatch(/^[A-Z].*\.$/u);
    },
  );
});
