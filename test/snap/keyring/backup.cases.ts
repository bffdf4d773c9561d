import { expect } from '@jest/globals';
import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { textOf } from '../../support/screen-text';
import { type ForOneTest, useEmptiedSnap } from '../../support/wallet/emptied';
import { installKeystead, type Keystead, walletError } from '../../support/wallet/installed';
import { approved, type Filled, KEY, type Note, useBackupWorld } from '../backup-world';

type Restored = { accounts: KeyringAccount[]; chains: number; skipped: { what: string; reason: string }[] };

const world = useBackupWorld();
const start = useEmptiedSnap(installKeystead);

/** An emptied snap with the storage service, which may still show the last backup. */
const emptied = async (test: ForOneTest = {}) =>
  world().setUp(await start({ mayKeep: ['storage', 'backup'], ...test }));
const homeOf = async ({ snap }: Keystead) => textOf((await snap.onHomePage()).getInterface().content);

describe('keystead_backUp and keystead_restore', () => {
  /** A backup of a full wallet, and that wallet's accounts and home page. */
  let full: Filled & { backup: Awaited<ReturnType<typeof approved<Note>>>; cid: string; home: string };
  beforeAll(async () => {
    const keystead = await emptied();
    const filled = await world().fill(keystead);
    const backup = await approved<Note>(keystead, 'keystead_backUp');
    full = { ...filled, backup, cid: backup.result!.cid, home: await homeOf(keystead) };
  });

  it('bring back accounts, imported keys and chains on a new machine with the same phrase', async () => {
    const { accounts, backup, cid, home } = full;
    expect(backup.said).toMatch(/Accounts 4 Imported private keys 2 Networks 1/u);
    expect(backup.said).toContain(world().front.url);
    expect(backup.result).toMatchObject({ accounts: 4, size: 4096 });
    expect(home).toContain(cid);

    const fresh = await emptied({ mayKeep: [] });
    expect(await homeOf(fresh)).not.toContain('Last backup');
    const restored = await approved<Restored>(fresh, 'keystead_restore', { cid });
    for (const { address } of accounts) expect(restored.said).toContain(address);
    expect(restored.said).toMatch(/Account Keystead 1 Address 0x\w{40}\s+Its key comes from your recovery phrase\./u);
    expect(restored.said).toMatch(/Account Old wallet Address 0x\w{40}\s+Its private key is in the backup\./u);
    expect(restored.said).toMatch(/Account Smart account 4(?: \([0-9A-Fa-f]{4}\))? Address 0x\w{40}\s+Its key comes/u);
    expect(restored.said).toMatch(/Account Imported smart account [0-9A-Fa-f]{4} Address 0x\w{40}\s+Its private key/u);
    expect(restored.said).not.toContain('simple-account');
    expect(restored.said).toContain(`${world().node.url}/node-with-a-key`);
    expect(restored.result).toEqual({ accounts, chains: 1, skipped: [] });
    expect(fresh.told.map(({ method }) => method)).toEqual(accounts.map(() => 'notify:accountCreated'));
    expect((await fresh.call('keyring_listAccounts')).result).toEqual(accounts);
    expect((await fresh.call('keystead_getChains')).result).toEqual([world().chain]);
    const old = accounts.find(({ options }) => options.label === 'Old wallet')!;
    const exported = await approved(fresh, 'keyring_exportAccount', { id: old.id });
    expect(exported.result).toEqual({ privateKey: KEY });
    expect(await homeOf(fresh)).toContain(cid);

    // Again: there is nothing left to add, so there is no dialog and no event.
    const told = fresh.told.length;
    expect((await fresh.call<Restored>('keystead_restore', { cid })).result).toEqual(restored.result);
    expect(fresh.told.length).toBe(told);
  });

  it('keep existing data, and add only what is missing', async () => {
    const { accounts, cid, derived } = full;
    const other = { ...world().chain, rpcUrl: `${world().node.url}/mine` };
    const second = await emptied();
    const { chainId, rpcUrl, bundlerUrl } = other as Record<string, Json>;
    await approved(second, 'keystead_setChain', { chainId, rpcUrl, bundlerUrl } as Json);
    await second.create();
    await second.call('keyring_updateAccount', {
      account: { ...derived, options: { ...derived.options, label: 'Mine' } } as Json,
    });
    await second.create({ type: 'eip155:erc4337', index: 3, chainId: 'eip155:10' });
    const more = await second.create();
    const { asked } = world().node;
    asked.length = 0;
    const restored = await approved<Restored>(second, 'keystead_restore', { cid });
    expect(restored.said).not.toContain(derived.address);
    expect(restored.said).toContain('Accounts 3');
    expect(restored.said).not.toContain('Networks');
    const now = (await second.call<KeyringAccount[]>('keyring_listAccounts')).result!;
    expect(now.map(({ id }) => id).sort()).toEqual([...accounts.map(({ id }) => id), more.id].sort());
    expect(now.find(({ id }) => id === derived.id)?.options.label).toBe('Mine');
    expect(now.find(({ options, type }) => type === 'eip155:erc4337' && options.index === 3)?.scopes).toEqual([
      'eip155:10',
      'eip155:31337',
    ]);
    expect((await second.call('keystead_getChains')).result).toEqual([other]);
    expect(asked).toEqual([]);
  });

  it('continue after an account that the wallet rejects, and report it', async () => {
    const { accounts, cid } = full;
    const refused = accounts[1]!;
    let refusing = true;
    const fresh = await emptied({
      manageAccounts: ({ params }) => {
        if (refusing && (params.account as { id?: string } | undefined)?.id === refused.id)
          throw walletError('not this one');
        return null;
      },
    });
    const restored = await approved<Restored>(fresh, 'keystead_restore', { cid });
    expect(restored.result?.accounts).toEqual(accounts.filter(({ id }) => id !== refused.id));
    expect(restored.result?.skipped).toEqual([
      { what: refused.address, reason: 'The wallet did not add the account: not this one' },
    ]);
    refusing = false;
    const again = await approved<Restored>(fresh, 'keystead_restore', { cid });
    expect(again.said).toContain('Accounts 1');
    expect(again.result?.skipped).toEqual([]);
    expect(again.result?.accounts).toHaveLength(accounts.length);
  });

  it('give the encrypted file on request, which restores without a storage service', async () => {
    const keystead = await emptied();
    const { accounts } = await world().fill(keystead);
    const backup = await approved<Note & { file?: string }>(keystead, 'keystead_backUp', { withFile: true });
    const file = backup.result!.file!;
    expect(Buffer.from(file, 'base64')).toHaveLength(backup.result!.size);

    const fresh = await start({ mayKeep: ['backup'] });
    const restored = await approved<Restored>(fresh, 'keystead_restore', { file });
    expect(restored.result).toEqual({ accounts, chains: 1, skipped: [] });

    const changed = Buffer.from(file, 'base64');
    changed[changed.length - 1]! ^= 1;
    expect((await fresh.call('keystead_restore', { file: changed.toString('base64') })).error).toMatchObject({
      code: -32003,
      data: { fault: 'changed' },
    });
  });

  it.each([
    ['params.file', { file: 'not base64' }],
    ['params.file', { file: 'QUJD\n' }],
    ['params.file', { file: 5 }],
    ['params.file', { file: 'A'.repeat(5_592_412) }],
    ['params.file', { file: `${'A'.repeat(5_592_400)}AA=A` }],
    ['params.file', { file: 'A===' }],
    ['params.file', { file: 'AAA' }],
    ['params.cid', { file: 'QUJD', cid: `b${'a'.repeat(58)}` }],
  ] as const)('refuse by %s what is no backup in base64', async (field, params) => {
    const { call } = await start();
    expect((await call('keystead_restore', params)).error).toMatchObject({ code: -32602, data: { field } });
  });

  it('change nothing if the user rejects', async () => {
    const keystead = await emptied();
    await world().fill(keystead);
    const before = world().front.requests.length;
    const backup = keystead.send('keystead_backUp');
    await (await backup.getInterface()).cancel();
    expect((await backup).response.error).toMatchObject({ code: 4001 });
    expect(world().front.requests.length).toBe(before);
    const fresh = await emptied();
    const restoration = fresh.send('keystead_restore', { cid: full.cid });
    await (await restoration.getInterface()).cancel();
    expect((await restoration).response.error).toMatchObject({ code: 4001 });
    expect((await fresh.call('keyring_listAccounts')).result).toEqual([]);
    expect((await fresh.call('keystead_getChains')).result).toEqual([]);
  });

  it('require a storage service', async () => {
    const { call } = await start();
    for (const [method, params] of [
      ['keystead_backUp', undefined],
      ['keystead_restore', { cid: `b${'a'.repeat(58)}` }],
    ] as const)
      expect((await call(method, params)).error).toMatchObject({
        code: -32001,
        message: 'No storage service is set up. Set one up first.',
      });
  });

  it.each(['', 'cid', '../../etc', `b${'a'.repeat(58)}/file`, `/ipfs/b${'a'.repeat(58)}`, 5, null])(
    'refuse %p as a CID',
    async (cid) => {
      const { call } = await start();
      expect((await call('keystead_restore', { cid } as Json)).error).toMatchObject({
        code: -32602,
        data: { field: 'params.cid' },
      });
    },
  );
});
