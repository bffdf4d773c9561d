import { type Json } from '@metamask/snaps-sdk';
import { type Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { newEoa, type StoredEoa } from '../../src/snap/accounts/account';
import { type DappScreen } from '../helpers/dapp';
import { type Answer, type Around, installKeystead, type Keystead, walletError } from '../helpers/wallet/installed';
import { textOf } from '../helpers/screen-text';
import { type SimulatedNode, startSimulatedNode } from '../helpers/simulated-node';
import { startStorageProcess, type StorageProcess } from '../helpers/storage-process';

const CREDENTIALS = { key: 'a-key', secret: 'a secret' };

let storage: StorageProcess;
let node: SimulatedNode;
beforeAll(async () => {
  [storage, node] = await Promise.all([startStorageProcess(CREDENTIALS), startSimulatedNode()]);
});
afterAll(async () => {
  await Promise.all([storage.stop(), node.stop()]);
});

const chain = (id: number, fields: Record<string, Json> = {}): Record<string, Json> => ({
  chainId: `eip155:${id}`,
  rpcUrl: node.url,
  bundlerUrl: node.url,
  entryPoint: ENTRY_POINTS['0.7'],
  entryPointVersion: '0.7',
  ...fields,
});

/** Imported accounts, in stored form. */
function accounts(count: number): Record<string, Json> {
  const stored = Array.from({ length: count }, (_item, index) => {
    const privateKey: Hex = `0x${(index + 1).toString(16).padStart(64, '0')}`;
    return { ...newEoa(privateKeyToAddress(privateKey), { source: 'imported', privateKey }), announced: true };
  });
  return Object.fromEntries(stored.map((entry) => [entry.account.id, entry as unknown as Json]));
}
const addressesOf = (stored: Record<string, Json>): string[] =>
  Object.values(stored).map((entry) => (entry as { account: { address: string } }).account.address);

type Restored = { accounts: Json[]; chains: number; skipped: { what: string; reason: string }[] };

const screenOf = async (request: ReturnType<Keystead['send']>): Promise<DappScreen> =>
  (await request.getInterface()) as unknown as DappScreen;
const said = (screen: DappScreen): string => textOf(screen.content).replace(/\s+/gu, ' ');

/** A snap with a given state and the storage service. */
async function start(state: Record<string, Json> = {}, around: Around = {}): Promise<Keystead> {
  return installKeystead({
    ...around,
    state: { version: 1, ...state, storage: { url: storage.url, ...CREDENTIALS } },
  });
}

/** Backs a state up. */
async function backUp(state: Record<string, Json>): Promise<{ cid: string; said: string }> {
  const { send } = await start(state);
  const request = send('keystead_backUp');
  const screen = await screenOf(request);
  const shown = said(screen);
  await screen.ok();
  return { cid: ((await request).response as Answer<{ cid: string }>).result!.cid, said: shown };
}

describe('the restore screen', () => {
  it('shows every account and chain on pages, forwards and backwards', async () => {
    const stored = accounts(110);
    const { cid } = await backUp({ accounts: stored, chains: { '31337': chain(31337) } });
    const { send } = await start();
    const request = send('keystead_restore', { cid });
    const pages: string[] = [];
    for (let page = 0; page < 3; page++) {
      const screen = await screenOf(request);
      pages.push(said(screen));
      if (page < 2) await screen.clickElement(`page:${page + 1}`);
    }
    pages.forEach((text, page) => {
      for (const part of ['Accounts: 110', 'Networks: 1', `Page ${page + 1} of 3`]) expect(text).toContain(part);
    });
    for (const address of addressesOf(stored)) expect(pages.filter((text) => text.includes(address))).toHaveLength(1);
    expect(pages.filter((text) => text.includes('Network eip155:31337'))).toHaveLength(1);
    const last = await screenOf(request);
    await last.clickElement('page:1');
    const second = await screenOf(request);
    expect(said(second)).toBe(pages[1]);
    await second.cancel();
    expect((await request).response.error).toMatchObject({ code: 4001 });
  });

  it('is a single page without buttons if that is enough', async () => {
    const { cid } = await backUp({ accounts: accounts(2) });
    const { send } = await start();
    const request = send('keystead_restore', { cid });
    const screen = await screenOf(request);
    expect(said(screen)).toContain('Accounts: 2');
    expect(said(screen)).not.toMatch(/Page|Not added/u);
    await screen.ok();
    expect(((await request).response as Answer<Restored>).result).toMatchObject({ chains: 0, skipped: [] });
  });
});

describe('a damaged account', () => {
  it('is reported as not backed up; one with only a damaged name is backed up', async () => {
    const [first, second] = Object.entries(accounts(2)) as [string, StoredEoa][];
    const { account } = second![1];
    const renamed = { ...second![1], account: { ...account, options: { ...account.options, label: 'a\u202eb' } } };
    const { cid, said: shown } = await backUp({
      accounts: { [first![0]]: { account: 5 }, [second![0]]: renamed } as unknown as Record<string, Json>,
    });
    expect(shown).toContain('Accounts 1 Imported private keys 1');
    expect(shown).toContain('1 account cannot be read and will be left out.');
    const { send } = await start();
    const request = send('keystead_restore', { cid });
    await (await screenOf(request)).ok();
    expect(((await request).response as Answer<Restored>).result).toEqual({
      accounts: [account],
      chains: 0,
      skipped: [],
    });
  });
});

describe('a chain in a backup', () => {
  it('is restored under the rules of setting it up; rejected ones are named before and after', async () => {
    const stored = accounts(1);
    const { cid } = await backUp({
      accounts: stored,
      chains: {
        '10': chain(10),
        '137': chain(137, { entryPoint: ENTRY_POINTS['0.6'] }),
        '31337': chain(31337),
      },
    });
    const { call, send } = await start({ chains: { '1': 5 } });
    const request = send('keystead_restore', { cid });
    const screen = await screenOf(request);
    for (const part of [
      'Networks: 1 Not added: 2',
      'Network eip155:31337',
      'Not added: chains[1]',
      'chains[1].entryPointVersion: must be 0.6',
      'Not added: eip155:10',
      'rpcUrl: must be a node for chain 10',
    ])
      expect(said(screen)).toContain(part);
    await screen.ok();
    const { result } = (await request).response as Answer<Restored>;
    expect(result).toMatchObject({
      chains: 1,
      skipped: [
        { what: 'chains[1]', reason: expect.stringContaining('chains[1].entryPointVersion: must be 0.6') as string },
        { what: 'eip155:10', reason: expect.stringContaining('must be a node for chain 10') as string },
      ],
    });
    expect(result!.accounts).toHaveLength(1);
    expect((await call('keystead_getChains')).result).toEqual([chain(31337)]);
  });

  it('is reported as not backed up if damaged, and comes back from an older backup', async () => {
    const older = await backUp({ chains: { '31337': chain(31337) } });
    const damaged = { chains: { '31337': { rpcUrl: 5 } }, accounts: accounts(1) };
    expect((await backUp(damaged)).said).toContain('The stored settings of eip155:31337 cannot be read');
    const { call, send } = await start(damaged);
    const request = send('keystead_restore', { cid: older.cid });
    await (await screenOf(request)).ok();
    expect((await request).response.error).toBeUndefined();
    expect((await call('keystead_getChains')).result).toEqual([chain(31337)]);
  });
});

describe('a restore that the wallet stops', () => {
  /** What is restored of three accounts and a chain if the wallet fails to store an account. */
  const stoppedAt = async (failing: number) => {
    const stored = accounts(3);
    const { cid } = await backUp({ accounts: stored, chains: { '31337': chain(31337) } });
    const written = new Set<string>();
    const { call, send } = await start(
      {},
      {
        answer: ({ method, params }) => {
          const { key } = (params ?? {}) as { key?: string };
          if (method !== 'snap_setState' || key?.startsWith('accounts.') !== true) return undefined;
          if (written.size === failing && !written.has(key)) throw walletError('no room');
          written.add(key);
          return undefined;
        },
      },
    );
    const request = send('keystead_restore', { cid });
    await (await screenOf(request)).ok();
    const { error } = (await request).response;
    const { result = [] } = await call<{ address: string }[]>('keyring_listAccounts');
    return { error, listed: result.map(({ address }) => address), all: addressesOf(stored) };
  };

  it.each([0, 2])('reports what was added, after %i accounts', async (count) => {
    const { error, listed, all } = await stoppedAt(count);
    expect(listed).toEqual(all.slice(0, count));
    expect(error).toMatchObject({
      code: -32603,
      data: { code: 'state-damaged' },
      message: `The wallet could not store the change. Added before that: ${['eip155:31337', ...listed].join(', ')}. To add the rest, restore again.`,
    });
  });
});
