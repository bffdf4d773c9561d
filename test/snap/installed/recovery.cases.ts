import { expect } from '@jest/globals';
import { type KeyringAccount } from '@metamask/keyring-api';

import { type Fault, WALLET_FAULTS } from '../../support/wallet/faults';
import { SnapInProcess } from '../../support/wallet/in-process';
import { installKeystead } from '../../support/wallet/installed';
import { WalletDouble } from '../../support/wallet/wallet-double';

describe('the recovery phrase alone', () => {
  it('gives the same accounts, with the same ids, in the same order', async () => {
    const before = await installKeystead();
    const accounts = [await before.create(), await before.create(), await before.create()];
    const after = await installKeystead();
    expect((await after.call('keyring_listAccounts')).result).toEqual([]);
    expect([await after.create(), await after.create(), await after.create()]).toEqual(accounts);
  });
});

const created = async (snap: SnapInProcess): Promise<KeyringAccount> =>
  (await snap.keyring('keyring_createAccount', { options: {} })) as unknown as KeyringAccount;

/** The calls of a first creation, after the state was initialized. The id of the new account is not known yet. */
async function callsOfCreation(): Promise<readonly string[]> {
  const wallet = new WalletDouble();
  const { id } = await created(new SnapInProcess(wallet, 'built'));
  return wallet.calls.map((call) => call.replace(id, '…').replace(/(?<=setState ends\.).*/u, '…'));
}

const cases = (calls: readonly string[]): [string, number, Fault][] =>
  calls.flatMap((call, at) => WALLET_FAULTS.map((fault): [string, number, Fault] => [call, at, fault]));

// The required order of calls: check the version, check for damage, index, store, announce, mark.
const CALLS = [
  'snap_getClientStatus',
  'snap_getState version',
  'snap_setState version',
  'snap_getState accounts',
  'snap_getEntropy',
  'snap_setState ends.…',
  'snap_getState accounts',
  'snap_setState accounts.…',
  'snap_manageAccounts notify:accountCreated',
  'snap_setState accounts.…',
];

describe('the crash matrix of account creation on the built snap', () => {
  it('stores before the announcement, and marks after it', async () => {
    expect(await callsOfCreation()).toEqual(CALLS);
  });

  it.each(cases(CALLS))('%s (call %d, %s) loses and duplicates nothing', async (_call, at, fault) => {
    const wallet = new WalletDouble();
    const first = new SnapInProcess(wallet, 'built');
    await new Promise<void>((resolve) => {
      wallet.plan({ at, fault }, resolve);
      void created(first)
        .catch(() => undefined)
        .finally(resolve);
    });
    wallet.plan();

    for (const [id, address] of wallet.known) expect(wallet.stored.get(id)).toBe(address);

    // A new snap, as after a crash or an update.
    const second = new SnapInProcess(wallet, 'built');
    const account = await created(second);
    expect([...wallet.stored].sort()).toEqual([...wallet.known].sort());
    expect(wallet.stored.get(account.id)).toBe(account.address);
    expect(new Set(wallet.stored.values()).size).toBe(wallet.stored.size);
    expect(await second.submit(account.id, 'personal_sign', ['0x00', account.address])).toMatchObject({
      pending: false,
    });
  });
});
