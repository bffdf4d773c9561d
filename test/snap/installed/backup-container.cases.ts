import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { seal } from '../../../src/snap/account/backup/seal';
import { flat } from '../../support/screen-text';
import { answerOf, SnapInProcess } from '../../support/wallet/in-process';
import { WalletDouble } from '../../support/wallet/wallet-double';
import version2 from '../states/version-2.json';

type State = Record<string, Json>;
type Restored = { accounts: KeyringAccount[]; chains: number; skipped: { what: string; reason: string }[] };

/** What a person had stored with an earlier release: accounts with names, networks, a token, a connected site. */
const stored = version2.state as unknown as State;
const storedAccounts = Object.values(version2.state.accounts).map(({ account }) => account) as KeyringAccount[];
const names = (accounts: readonly KeyringAccount[]) =>
  Object.fromEntries(accounts.map(({ address, options }) => [address, options.label]));
const labelled = (label: string): KeyringAccount => storedAccounts.find(({ options }) => options.label === label)!;

const BOB = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e';
const ALICE = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const TOKEN = { chainId: 'eip155:31337', address: '0x00000000000000000000000000000000000000cc' } as const;

/** The built snap in this process. The person approves every dialog. */
function start(state: State = {}, phrase = 'test') {
  const wallet = new WalletDouble({ state: structuredClone(state), phrase });
  const snap = new SnapInProcess(wallet, 'built');
  const call = <T = Json>(method: string, params?: Json) => answerOf<T>(snap.keyring(method, params));
  return {
    wallet,
    snap,
    call,
    accounts: async () => (await call<KeyringAccount[]>('keyring_listAccounts')).result!,
    rename: (account: KeyringAccount, label: string) =>
      call('keyring_updateAccount', { account: { ...account, options: { ...account.options, label } } as Json }),
    restore: (file: string) => call<Restored>('keystead_restore', { file }),
    lastDialog: () => wallet.dialogs.at(-1)?.text ?? '',
  };
}

/** An authentic file of the phrase with any content. */
async function sealed(content: unknown, phrase = 'test'): Promise<string> {
  const secret = Buffer.from(new WalletDouble({ phrase }).entropy('keystead/backup/1').slice(2), 'hex');
  return Buffer.from((await seal(JSON.stringify(content), secret))!).toString('base64');
}

const saveContacts = (...contacts: readonly { name: string; address: string }[]): Json => ({ contacts: [...contacts] });

describe('the state of an earlier release', () => {
  it('is read: accounts with their names, networks, tokens and connected sites', async () => {
    const { accounts, call, snap } = start(stored);
    expect(await accounts()).toEqual(storedAccounts);
    expect((await call('keystead_getChains')).result).toEqual(Object.values(version2.state.chains));
    expect((await call('keystead_getTokens')).result).toEqual(version2.state.tokens);
    expect((await call('keystead_getContacts')).result).toEqual([]);
    const home = flat((await snap.home()) as object);
    for (const shown of ['Old wallet', 'Everyday', 'https://dapp.example']) expect(home).toContain(shown);
    expect(home).not.toContain('Damaged');
  });

  it('keeps all of it when contacts are added', async () => {
    const { call, wallet } = start(stored);
    await call('keystead_saveContacts', saveContacts({ name: 'Bob', address: BOB }));
    const { contacts, version, ...others } = wallet.state;
    const { version: _version, ...before } = stored;
    expect(contacts).toEqual([{ name: 'Bob', address: BOB }]);
    expect(version).toBe(2);
    expect(others).toEqual(before);
  });
});

describe('a backup of an earlier release', () => {
  it('is restored, with the names of the accounts', async () => {
    const { accounts, restore } = start();
    const { result } = await restore(version2.backup);
    expect(names(await accounts())).toEqual(names(storedAccounts));
    // Its networks' nodes are not there any more.
    expect(result!.skipped.map(({ what }) => what)).toEqual(['eip155:31337', 'eip155:31338']);
  });
});

describe('a backup as a file', () => {
  /** A file of a wallet with contacts and a watched token, made without a storage service. */
  async function made(): Promise<string> {
    const { storage: _none, ...state } = stored;
    const { call, lastDialog } = start(state);
    await call('keystead_saveContacts', saveContacts({ name: 'Bob', address: BOB }, { name: 'Alice', address: ALICE }));
    expect((await call('keystead_backUp')).error?.message).toContain('No storage service is set up');
    const { result } = await call<{ file: string }>('keystead_backUp', { onlyFile: true });
    expect(Object.keys(result!).sort()).toEqual(['accounts', 'createdAt', 'file', 'size']);
    expect(lastDialog()).toMatch(/Accounts 5 .*Networks 2 Contacts 2 Watched tokens 1 Saved as a file/u);
    return result!.file;
  }

  it('brings back names, contacts and tokens on a new machine, and says so before', async () => {
    const { accounts, call, lastDialog, restore, wallet } = start();
    const { result } = await restore(await made());
    expect(result!.accounts).toHaveLength(storedAccounts.length);
    expect(names(await accounts())).toEqual(names(storedAccounts));
    expect((await call('keystead_getContacts')).result).toEqual([
      { name: 'Bob', address: BOB },
      { name: 'Alice', address: ALICE },
    ]);
    expect((await call('keystead_getTokens')).result).toEqual(version2.state.tokens);
    for (const shown of ['Contact Bob', BOB, 'Contact Alice', ALICE, 'Watched token TST', 'Account Everyday'])
      expect(lastDialog()).toContain(shown);
    // Again: only the networks are missing still, and there is nothing to ask.
    const asked = wallet.dialogs.length;
    await restore(await made());
    expect(wallet.dialogs).toHaveLength(asked);
  });

  it('of another phrase, altered or cut changes nothing', async () => {
    const bytes = Buffer.from(await made(), 'base64');
    const altered = Buffer.from(bytes);
    altered[200]! ^= 1;
    const { call, restore, wallet } = start({}, 'another phrase');
    const faults = [];
    for (const file of [bytes, altered, bytes.subarray(0, 300)])
      faults.push((await restore(file.toString('base64'))).error?.data);
    expect(faults).toMatchObject([{ fault: 'phrase' }, { fault: 'phrase' }, { fault: 'truncated' }]);
    const same = start();
    expect((await same.restore(altered.toString('base64'))).error?.data).toMatchObject({ fault: 'changed' });
    expect((await call('keystead_getContacts')).result).toEqual([]);
    expect(wallet.dialogs).toEqual([]);
  });

  it('with an account of another key, and a later part, restores the rest and says what is left out', async () => {
    const foreign = { address: BOB, key: { source: 'derived', index: 0 }, label: 'Mine' };
    const contacts = [{ name: 'Alice', address: ALICE }];
    const file = await sealed({ version: 2, createdAt: 0, accounts: [foreign], chains: [], contacts, guardians: [] });
    const { accounts, call, restore } = start();
    const { result } = await restore(file);
    expect(result!.skipped).toEqual([
      { what: 'guardians', reason: 'this version of Keystead cannot read this part' },
      { what: BOB, reason: 'address: must be the address of the key in the backup' },
    ]);
    expect(await accounts()).toEqual([]);
    expect((await call('keystead_getContacts')).result).toEqual(contacts);
  });

  it('of a later version changes nothing', async () => {
    const { restore, wallet } = start();
    const { error } = await restore(await sealed({ version: 3, createdAt: 0, accounts: [], chains: [] }));
    expect(error).toMatchObject({ data: { fault: 'version' } });
    expect(wallet.dialogs).toEqual([]);
  });

  it('gives accounts and contacts their old names back, and shows both names before', async () => {
    const { accounts, call, lastDialog, rename, restore } = start(stored);
    const file = await made();
    await rename(labelled('Everyday'), 'Daily');
    await call('keystead_saveContacts', saveContacts({ name: 'Robert', address: BOB }));
    await restore(file);
    expect(names(await accounts())).toEqual(names(storedAccounts));
    expect((await call('keystead_getContacts')).result).toContainEqual({ name: 'Bob', address: BOB });
    expect(lastDialog()).toMatch(/New name Everyday Old name Daily Address/u);
    expect(lastDialog()).toMatch(/Contact Bob Old name Robert Address/u);
  });

  it('whose names are taken here tells accounts apart, and leaves a contact out', async () => {
    const { accounts, call, restore, snap, rename } = start();
    const file = await made();
    const other = (await call('keyring_createAccount', { options: { privateKey: `0x${'77'.repeat(32)}` } }))
      .result as unknown as KeyringAccount;
    await rename(other, 'Everyday');
    await call('keystead_saveContacts', saveContacts({ name: 'bob', address: TOKEN.address }));
    const { result } = await restore(file);
    expect((await accounts()).filter(({ options }) => options.label === 'Everyday')).toHaveLength(2);
    const home = flat((await snap.home()) as object);
    expect(home).toContain('Everyday (Keystead 1)');
    expect(home).toContain(`Everyday (Imported account ${other.address.slice(2, 6)})`);
    expect(result!.skipped).toContainEqual({
      what: `Bob, ${BOB}`,
      reason: 'contact: must have a name that none of your accounts and other contacts has',
    });
    expect((await call<{ name: string }[]>('keystead_getContacts')).result!.map(({ name }) => name)).toEqual([
      'bob',
      'Alice',
    ]);
  });
});
