import { type Json } from '@metamask/snaps-sdk';
import { type Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { newEoa, type StoredEoa } from '../../../src/snap/account/account';
import { type DappScreen } from '../../support/dapp';
import { flat } from '../../support/screen-text';
import { answerOf, SnapInProcess } from '../../support/wallet/in-process';
import { type Answer, installKeystead, type Keystead, walletError } from '../../support/wallet/installed';
import { WalletDouble } from '../../support/wallet/wallet-double';
import { type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { startStorageProcess, type StorageProcess } from '../../support/storage-process';

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
type State = Record<string, Json>;

const withStorage = (state: State): State => ({
  version: 1,
  ...state,
  storage: { url: storage.url, ...CREDENTIALS },
});

/** The built snap in this process, with a given state and the storage service. The user approves every dialog. */
function start(state: State = {}) {
  const wallet = new WalletDouble({ state: withStorage(state) });
  wallet.services = [storage.url, node.url];
  const snap = new SnapInProcess(wallet, 'built');
  const restore = (cid: string) => answerOf<Restored>(snap.keyring('keystead_restore', { cid }));
  const shown = () => wallet.dialogs.map(({ text }) => text);
  return { wallet, snap, restore, shown };
}

/** Backs a state up. */
async function backUp(state: State): Promise<{ cid: string; said: string }> {
  const { snap, shown } = start(state);
  const { cid } = (await snap.keyring('keystead_backUp')) as { cid: string };
  const [said] = shown();
  return { cid, said: said! };
}

describe('the restore screen', () => {
  /** The built snap in the Snaps runtime, which runs one at a time. */
  const install = (state: State): Promise<Keystead> => installKeystead({ state: withStorage(state) });
  const screenOf = async (request: ReturnType<Keystead['send']>): Promise<DappScreen> =>
    (await request.getInterface()) as unknown as DappScreen;
  const said = ({ content }: DappScreen): string => flat(content);

  it('shows every account and chain on pages, forwards and backwards', async () => {
    const stored = accounts(110);
    const before = await install({ accounts: stored, chains: { '31337': chain(31337) } });
    const backup = before.send('keystead_backUp');
    await (await backup.getInterface()).ok();
    const { cid } = ((await backup).response as Answer<{ cid: string }>).result!;
    const { send } = await install({});
    const request = send('keystead_restore', { cid });
    const pages: string[] = [];
    for (let page = 0; page < 3; page++) {
      const screen = await screenOf(request);
      pages.push(said(screen));
      if (page < 2) await screen.clickElement(`page:${page + 1}`);
    }
    pages.forEach((text, page) => {
      for (const part of ['Accounts 110', 'Networks 1', `Page ${page + 1} of 3`]) expect(text).toContain(part);
    });
    for (const address of addressesOf(stored)) expect(pages.filter((text) => text.includes(address))).toHaveLength(1);
    expect(pages.filter((text) => text.includes('Network Network 31337'))).toHaveLength(1);
    const last = await screenOf(request);
    await last.clickElement('page:1');
    const second = await screenOf(request);
    expect(said(second)).toBe(pages[1]);
    await second.cancel();
    expect((await request).response.error).toMatchObject({ code: 4001 });
  });

  it('is a single page without buttons if that is enough', async () => {
    const { cid } = await backUp({ accounts: accounts(2) });
    const { restore, shown } = start();
    expect((await restore(cid)).result).toMatchObject({ chains: 0, skipped: [] });
    expect(shown()).toHaveLength(1);
    expect(shown()[0]).toContain('Accounts 2');
    expect(shown()[0]).not.toMatch(/Page|Not added/u);
  });
});

describe('a damaged account', () => {
  it('is reported as not backed up; one with only a damaged name is backed up', async () => {
    const [first, second] = Object.entries(accounts(2)) as [string, StoredEoa][];
    const { account } = second![1];
    const renamed = { ...second![1], account: { ...account, options: { ...account.options, label: 'a\u202eb' } } };
    const { cid, said } = await backUp({
      accounts: { [first![0]]: { account: 5 }, [second![0]]: renamed } as unknown as Record<string, Json>,
    });
    expect(said).toContain('Accounts 1 Imported private keys 1');
    expect(said).toContain('1 account cannot be read and will be left out.');
    expect(await start().restore(cid)).toEqual({ result: { accounts: [account], chains: 0, skipped: [] } });
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
    const { restore, shown, snap } = start({ chains: { '1': 5 } });
    const { result } = await restore(cid);
    expect(shown()).toHaveLength(1);
    for (const part of [
      'Networks 1 Not added 2',
      'Network Network 31337',
      `Entry point ${ENTRY_POINTS['0.7']}`,
      'Not added chains[1]',
      'chains[1].entryPointVersion: must be 0.6',
      'Not added eip155:10',
      'rpcUrl: must be a node for chain 10',
    ])
      expect(shown()[0]).toContain(part);
    expect(result).toMatchObject({
      chains: 1,
      skipped: [
        { what: 'chains[1]', reason: expect.stringContaining('chains[1].entryPointVersion: must be 0.6') as string },
        { what: 'eip155:10', reason: expect.stringContaining('must be a node for chain 10') as string },
      ],
    });
    expect(result!.accounts).toHaveLength(1);
    expect(await snap.keyring('keystead_getChains')).toEqual([chain(31337)]);
  });

  it('is reported as not backed up if damaged, and comes back from an older backup', async () => {
    const older = await backUp({ chains: { '31337': chain(31337) } });
    const damaged = { chains: { '31337': { rpcUrl: 5 } }, accounts: accounts(1) };
    expect((await backUp(damaged)).said).toContain('The stored settings of Network 31337 cannot be read');
    const { restore, snap } = start(damaged);
    expect((await restore(older.cid)).error).toBeUndefined();
    expect(await snap.keyring('keystead_getChains')).toEqual([chain(31337)]);
  });
});

describe('a restore that the wallet stops', () => {
  /** What is restored of three accounts and a chain if the wallet fails to store an account. */
  const stoppedAt = async (failing: number) => {
    const stored = accounts(3);
    const { cid } = await backUp({ accounts: stored, chains: { '31337': chain(31337) } });
    const written = new Set<string>();
    const { restore, snap, wallet } = start();
    wallet.order = async (call) => {
      if (!call.startsWith('snap_setState accounts.')) return;
      if (written.size === failing && !written.has(call)) throw walletError('no room');
      written.add(call);
    };
    const { error } = await restore(cid);
    const listed = (await snap.keyring('keyring_listAccounts')) as { address: string }[];
    return { error, listed: listed.map(({ address }) => address), all: addressesOf(stored) };
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
