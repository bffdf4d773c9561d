import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Page } from 'playwright-core';
import {
  getTypesForEIP712Domain,
  type Hex,
  numberToHex,
  parseEther,
  recoverMessageAddress,
  recoverTypedDataAddress,
  stringToHex,
} from 'viem';

import { DEVNET_CHAIN } from '../../src/devnet/chain/definition';
import { nodeOf } from '../browser/support/devnet-node';
import { describeWithDevnet, startWorld, type World } from '../browser/support/world';
import { cleanUp } from '../devnet/support/npm-start';
import { drawnFaults } from '../helpers/drawn-faults';
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
    describe.skip(`${name} (skipped: METAMASK_DIR names no unpacked extension; scripts/install-flask.sh downloads one)`, () => {
      tests('');
    });
};

// Ends what hangs. On a busy machine, the wallet takes minutes to open.
jest.setTimeout(1_800_000);

type Created = { readonly id: string; readonly address: Hex };

const KINDS = [
  ['a standard account', { type: 'eip155:eoa' }],
  ['a Safe', { type: 'eip155:erc4337', kind: 'safe-0.7' }],
  ['a SimpleAccount 0.6', { type: 'eip155:erc4337', entryPointVersion: '0.6' }],
  ['a SimpleAccount 0.7', { type: 'eip155:erc4337', entryPointVersion: '0.7' }],
  ['a SimpleAccount 0.8', { type: 'eip155:erc4337', entryPointVersion: '0.8' }],
] as const;

const CHAIN_ID = numberToHex(DEVNET_CHAIN.id);
const MESSAGE = 'Hello, MetaMask';
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const DOMAIN = { name: 'Mail', version: '1', chainId: DEVNET_CHAIN.id };
const MAIL = {
  domain: DOMAIN,
  types: { Mail: [{ name: 'contents', type: 'string' }] },
  primaryType: 'Mail',
  message: { contents: MESSAGE },
} as const;
/** As sites send it. */
const MAIL_JSON = JSON.stringify({
  ...MAIL,
  types: { EIP712Domain: getTypesForEIP712Domain({ domain: DOMAIN }), ...MAIL.types },
});

describeInMetaMask('Keystead in MetaMask', (folder) => {
  const profile = mkdtempSync(join(tmpdir(), 'keystead-metamask-'));
  const created = new Map<string, Created>();
  /** What is wrong with our screens, as MetaMask drew them. */
  const faults: string[] = [];
  let world: World;
  let metamask: MetaMask;
  let site: WalletSite;

  const open = async (): Promise<void> => {
    metamask = await MetaMask.open(folder, profile);
    await metamask.start();
    site = await WalletSite.open(metamask, world.url);
  };
  const addressOf = (kind: (typeof KINDS)[number][0]): Hex => created.get(kind)!.address;

  /** Looks at each screen of the snap before it is approved. */
  const look = async (page: Page): Promise<void> => {
    const screen = page.locator('.snap-ui-renderer__content').first();
    if (await screen.isVisible()) faults.push(...(await drawnFaults(screen)));
  };

  beforeAll(async () => {
    world = await startWorld();
    await open();
  });

  afterEach(() => {
    expect(faults.splice(0)).toEqual([]);
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
    const added = await site.snap('keystead_setChain', { chainId, name, rpcUrl, bundlerUrl, paymasterUrl }, look);
    expect(added).toMatchObject({ chainId, rpcUrl });
  });

  it.each(KINDS)('creates %s, which MetaMask takes', async (title, options) => {
    const chain = options.type === 'eip155:eoa' ? {} : { chainId: site.devnet.chain.chainId };
    const account = await site.keyring<Created>('keyring_createAccount', { options: { ...options, ...chain } }, look);
    created.set(title, account);
    const listed = await site.keyring<readonly Created[]>('keyring_listAccounts');
    expect(listed.map(({ address }) => address)).toContain(account.address);
  });

  describe('through Keystead’s own provider', () => {
    it('connects a site to the account it asks for', async () => {
      const address = addressOf('a standard account');
      const caveats = [{ type: 'restrictReturnedAccounts', value: [address] }];
      await site.snap('wallet_requestPermissions', [{ eth_accounts: { caveats } }], look);
      expect(await site.snap('eth_accounts')).toEqual([address.toLowerCase()]);
    });

    it('signs a message', async () => {
      const params = [stringToHex(MESSAGE), addressOf('a standard account')];
      const signature = await site.snap<Hex>('personal_sign', params, look);
      expect(await recoverMessageAddress({ message: MESSAGE, signature })).toBe(addressOf('a standard account'));
    });

    it('signs nothing that is rejected', async () => {
      const request = { method: 'personal_sign', params: [stringToHex(MESSAGE), addressOf('a standard account')] };
      const error = await site.askAndReject('wallet_invokeSnap', { snapId: site.devnet.snapId, request }, look);
      expect(error).toMatchObject({ code: 4001 });
    });

    it('sends a sponsored batch from a Safe without ether', async () => {
      const from = addressOf('a Safe');
      const caveats = [{ type: 'restrictReturnedAccounts', value: [from] }];
      await site.snap('wallet_requestPermissions', [{ eth_accounts: { caveats } }], look);
      const calls = [{ to: RECIPIENT }, { to: addressOf('a standard account') }];
      const batch = { version: '2.0.0', from, chainId: CHAIN_ID, atomicRequired: true, calls };
      const { id } = await site.snap<{ id: string }>('wallet_sendCalls', [batch], look);
      const status = () => site.snap<{ status: number }>('wallet_getCallsStatus', [id]);
      let answer = await status();
      while (answer.status === 100) answer = await status();
      expect(answer).toMatchObject({ status: 200, atomic: true });
      const node = await nodeOf(world);
      expect(await node.getCode({ address: from })).toMatch(/^0x[0-9a-f]{2,}$/u);
    });
  });

  describe('through MetaMask’s provider', () => {
    let account: Hex;

    it('takes the network and the account from MetaMask', async () => {
      account = addressOf('a standard account');
      const { name, rpcUrl } = site.devnet.chain;
      const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
      const network = { chainId: CHAIN_ID, chainName: name, rpcUrls: [rpcUrl], nativeCurrency };
      await site.ask('wallet_addEthereumChain', [network]);
      const caveats = [{ type: 'restrictReturnedAccounts', value: [account] }];
      await site.ask('wallet_requestPermissions', [{ eth_accounts: { caveats } }]);
      expect(await site.read('eth_accounts')).toEqual([account.toLowerCase()]);
      expect(await site.read('eth_chainId')).toBe(CHAIN_ID);
    });

    it('signs a message', async () => {
      const signature = await site.ask<Hex>('personal_sign', [stringToHex(MESSAGE), account], look);
      expect(await recoverMessageAddress({ message: MESSAGE, signature })).toBe(account);
    });

    it('signs typed data', async () => {
      const signature = await site.ask<Hex>('eth_signTypedData_v4', [account, MAIL_JSON], look);
      expect(await recoverTypedDataAddress({ ...MAIL, signature })).toBe(account);
    });

    it('sends a transaction, which is mined, and explains it in MetaMask’s confirmation', async () => {
      const node = await nodeOf(world);
      await site.askFaucet(account);
      const insights: string[] = [];
      const hash = await site.ask<Hex>(
        'eth_sendTransaction',
        [{ from: account, to: RECIPIENT, value: numberToHex(parseEther('0.001')) }],
        async (page) => {
          await look(page);
          insights.push(await page.locator('body').innerText());
        },
      );
      const receipt = await node.waitForTransactionReceipt({ hash });
      expect(receipt).toMatchObject({ status: 'success', from: account.toLowerCase() });
      expect(insights.join('\n')).toContain('You send');
    });
  });

  it('keeps a dialog that waits while MetaMask is locked, and signs after it is unlocked', async () => {
    const request = site.snap<Hex>('personal_sign', [stringToHex(MESSAGE), addressOf('a standard account')], look);
    await metamask.lock();
    const signature = await request;
    expect(await recoverMessageAddress({ message: MESSAGE, signature })).toBe(addressOf('a standard account'));
  });

  it('goes on after MetaMask’s service worker ended', async () => {
    const before = await site.keyring('keyring_listAccounts');
    await metamask.stopWorker();
    expect(await site.keyring('keyring_listAccounts')).toEqual(before);
  });

  it('has the same accounts after the browser was closed', async () => {
    const before = await site.keyring('keyring_listAccounts');
    await metamask.close();
    await open();
    expect(await site.keyring('keyring_listAccounts')).toEqual(before);
    expect(created.size).toBe(KINDS.length);
  });
});
