import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { numberToHex, recoverMessageAddress, stringToHex } from 'viem';

import { DEVNET_CHAIN } from '../../src/devnet/chain/definition';
import { describeWithDevnet, startWorld, type World } from '../browser/support/world';
import { cleanUp } from '../devnet/support/npm-start';
import { MetaMask } from './support/metamask';
import { WalletSite } from './support/wallet-site';

/** The folder of an unpacked extension. */
const FOLDER = process.env['METAMASK_DIR'];

const describeInMetaMask = (name: string, tests: (folder: string) => void): void => {
  if (FOLDER !== undefined && existsSync(join(FOLDER, 'manifest.json')))
    describeWithDevnet(name, () => {
      tests(FOLDER);
    });
  else
    describe.skip(`${name} (skipped: METAMASK_DIR names no unpacked extension; scripts/install-flask.sh gets one)`, () => {
      tests('');
    });
};

type Created = { readonly id: string; readonly address: `0x${string}` };

const KINDS = [
  ['a standard account', { type: 'eip155:eoa' }],
  ['a Safe', { type: 'eip155:erc4337', kind: 'safe-0.7' }],
  ['a SimpleAccount 0.6', { type: 'eip155:erc4337', entryPointVersion: '0.6' }],
  ['a SimpleAccount 0.7', { type: 'eip155:erc4337', entryPointVersion: '0.7' }],
  ['a SimpleAccount 0.8', { type: 'eip155:erc4337', entryPointVersion: '0.8' }],
] as const;

describeInMetaMask('Keystead in MetaMask', (folder) => {
  const profile = mkdtempSync(join(tmpdir(), 'keystead-metamask-'));
  let world: World;
  let metamask: MetaMask;
  let site: WalletSite;
  const created = new Map<string, Created>();

  const open = async (): Promise<void> => {
    metamask = await MetaMask.open(folder, profile);
    await metamask.start();
    site = await WalletSite.open(metamask, world.url);
  };

  beforeAll(async () => {
    world = await startWorld();
    await open();
  });

  afterAll(async () => {
    await metamask.close();
    await world.stop();
    await cleanUp();
    rmSync(profile, { recursive: true, force: true });
  });

  it('is installed from the page', async () => {
    const { snapId } = site.devnet;
    const installed = await site.ask<Record<string, { enabled: boolean }>>('wallet_requestSnaps', { [snapId]: {} });
    expect(installed[snapId]).toMatchObject({ enabled: true, blocked: false });
  });

  it('adds a network in its own dialog', async () => {
    const { chainId, name, rpcUrl, bundlerUrl, paymasterUrl } = site.devnet.chain;
    await site.keyring('keystead_setChain', { chainId, name, rpcUrl, bundlerUrl, paymasterUrl });
    expect(JSON.stringify(await site.keyring('keystead_getChains'))).toContain(rpcUrl);
  });

  it.each(KINDS)('creates %s, which MetaMask takes', async (title, options) => {
    const chain = options.type === 'eip155:eoa' ? {} : { chainId: site.devnet.chain.chainId };
    const account = await site.keyring<Created>('keyring_createAccount', { options: { ...options, ...chain } });
    created.set(title, account);
    expect(JSON.stringify(await site.keyring('keyring_listAccounts'))).toContain(account.address);
  });

  it('connects a site to an account, and signs a message for it in its own dialog', async () => {
    const [account] = await site.snap<`0x${string}`[]>('eth_requestAccounts');
    const message = 'Hello, MetaMask';
    const signature = await site.snap<`0x${string}`>('personal_sign', [stringToHex(message), account]);
    expect(await recoverMessageAddress({ message, signature })).toBe(account);
  });

  it('is found as it was after the browser was closed, with the same accounts', async () => {
    const before = await site.keyring('keyring_listAccounts');
    await metamask.close();
    await open();
    expect(await site.keyring('keyring_listAccounts')).toEqual(before);
    expect(created.size).toBe(KINDS.length);
    expect(await site.snap('eth_chainId')).toBe(numberToHex(DEVNET_CHAIN.id));
  });
});
