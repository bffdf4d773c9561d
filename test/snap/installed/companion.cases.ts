import { join } from 'node:path';

import { expect } from '@jest/globals';
import { type KeyringAccount } from '@metamask/keyring-api';

import { serveSnap, type SnapServer } from '../../../src/devnet/snap-server';
import { DAPP, installForDapps } from '../../support/dapp';
import { useEmptiedSnap } from '../../support/wallet/emptied';

const PAGE = 'http://localhost:8000';
const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';

/** The development build, whose manifest allows the companion page. */
let server: SnapServer;
beforeAll(async () => {
  server = await serveSnap(join(__dirname, '../../../dist-dev'), 0);
});
afterAll(() => server.stop());

const start = useEmptiedSnap((around) => installForDapps({ ...around, snapId: `local:${server.url}` }));

describe('the companion page of a development build', () => {
  it('creates, lists and deletes accounts', async () => {
    const { call } = await start();
    const { result } = await call<KeyringAccount>('keyring_createAccount', { options: {} }, PAGE);
    expect((await call('keyring_listAccounts', undefined, PAGE)).result).toEqual([result]);
    expect((await call('keyring_deleteAccount', { id: result?.id ?? '' }, PAGE)).result).toBeNull();
    expect((await call('keyring_listAccounts', undefined, PAGE)).result).toEqual([]);
  });

  it('is named in the dialogs, and needs consent to delete an imported account', async () => {
    const { send } = await start();
    const creation = send('keyring_createAccount', { options: { privateKey: KEY } }, PAGE);
    const importDialog = await creation.getInterface();
    expect(JSON.stringify(importDialog.content)).toContain(PAGE);
    await importDialog.ok();
    const { id } = (await creation).response.result as unknown as KeyringAccount;
    const deletion = send('keyring_deleteAccount', { id }, PAGE);
    const deleteDialog = await deletion.getInterface();
    expect(JSON.stringify(deleteDialog.content)).toContain('You may lose this account');
    await deleteDialog.cancel();
    expect((await deletion).response.error).toMatchObject({ code: 4001 });
  });

  it('gets no account that the user left out by creating it again', async () => {
    const { ask, call, connect, create } = await start();
    const { address } = await create();
    const { id } = await create({ privateKey: KEY });
    expect(await connect(PAGE, [id])).toEqual([address]);
    expect((await call('keyring_createAccount', { options: { privateKey: KEY } }, PAGE)).result).toMatchObject({ id });
    expect(await ask('eth_accounts', [], PAGE)).toEqual({ result: [address] });
  });

  it('connects once: to all accounts, unless the user leaves some out, and to those that it creates then', async () => {
    const { ask, call, connect, create } = await start();
    const [first, second] = [await create(), await create()];
    expect(await connect(DAPP)).toEqual([first.address]);
    expect(await connect(PAGE)).toEqual([first.address, second.address]);
    const { result: third } = await call<KeyringAccount>('keyring_createAccount', { options: {} }, PAGE);
    expect(await ask('eth_accounts', [], PAGE)).toEqual({ result: [first, second, third!].map((one) => one.address) });
    // Sites get nothing by that, nor does the page by accounts that others create.
    expect(await ask('eth_accounts', [], DAPP)).toEqual({ result: [first.address] });
    await create();
    expect((await ask<string[]>('eth_accounts', [], PAGE)).result).toHaveLength(3);
  });

  it('is not connected by creating an account', async () => {
    const { ask, call } = await start();
    await call('keyring_createAccount', { options: {} }, PAGE);
    expect(await ask('eth_accounts', [], PAGE)).toEqual({ result: [] });
  });

  it('may not request signatures', async () => {
    const { call } = await start();
    expect((await call('keyring_submitRequest', {}, PAGE)).error).toMatchObject({ code: 4100 });
  });

  it('gets no data from either handler while the wallet is locked, and triggers no password prompt', async () => {
    let locked = false;
    const asked: string[] = [];
    const { call, snap } = await start({
      answer: ({ method }) => {
        asked.push(method);
        return method === 'snap_getClientStatus' ? { locked, active: true } : undefined;
      },
    });
    const { result } = await call<KeyringAccount>('keyring_createAccount', { options: {} }, PAGE);
    const { id } = result!;
    expect((await call('keyring_listAccounts', undefined, PAGE)).result).toEqual([result]);
    expect((await call('keystead_getChains', undefined, PAGE)).result).toEqual([]);
    locked = true;
    asked.length = 0;
    for (const [method, params] of [
      ['keyring_listAccounts', undefined],
      ['keyring_getAccount', { id }],
      ['keyring_exportAccount', { id }],
      ['keyring_createAccount', { options: {} }],
      ['keystead_getChains', undefined],
      ['keystead_getStorage', undefined],
    ] as const)
      expect((await call(method, params, PAGE)).error).toMatchObject({
        code: 4100,
        message: expect.stringContaining('The wallet is locked') as unknown as string,
      });
    const overRpc = await snap.request({ origin: PAGE, method: 'keystead_getChains' });
    expect(overRpc).toRespondWithError(expect.objectContaining({ code: 4100 }) as never);
    expect(new Set(asked)).toEqual(new Set(['snap_getClientStatus']));
    locked = false;
    expect((await call('keyring_listAccounts', undefined, PAGE)).result).toEqual([result]);
  });

  it('is only that origin', async () => {
    const { call } = await start();
    for (const origin of ['http://localhost:8001', 'https://localhost:8000', 'http://localhost:8000.example.org']) {
      expect((await call('keyring_listAccounts', undefined, origin)).error).toMatchObject({ code: 4100 });
    }
  });
});
