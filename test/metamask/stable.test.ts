import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Page } from 'playwright-core';
import { maxUint256 } from 'viem';

import { assemble } from '../../scripts/release/packages';
import { listenOnLoopback, type LoopbackServer } from '../../src/devnet/loopback';
import { noOpenssl } from '../support/service/certificate';
import { MetaMask, SNAP_SCREEN } from '../support/metamask/metamask';
import { type PackageStandIn, servePackages } from '../support/metamask/package-stand-in';
import { WalletSite } from '../support/metamask/wallet-site';

/** The folder of an unmodified stable MetaMask. */
const FOLDER = process.env['METAMASK_STABLE_DIR'];
const why =
  FOLDER === undefined || !existsSync(join(FOLDER, 'manifest.json'))
    ? 'skipped: METAMASK_STABLE_DIR names no unpacked stable MetaMask'
    : noOpenssl;

const INSIGHTS = 'npm:keystead-insights';
const ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const STRANGER = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e';
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

const field = (name: string, type: string) => ({ name, type });
const DOMAIN = [field('name', 'string'), field('version', 'string'), field('chainId', 'uint256')];

const PERMIT = {
  domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: USDC },
  types: {
    EIP712Domain: [...DOMAIN, field('verifyingContract', 'address')],
    Permit: [
      field('owner', 'address'),
      field('spender', 'address'),
      field('value', 'uint256'),
      field('nonce', 'uint256'),
      field('deadline', 'uint256'),
    ],
  },
  primaryType: 'Permit',
  message: { owner: ACCOUNT, spender: STRANGER, value: maxUint256.toString(), nonce: '0', deadline: '4102444800' },
};

/** A Safe's transaction, which sends 1 ETH to a stranger. */
const SAFE_TRANSACTION = {
  domain: { chainId: 1, verifyingContract: '0x3333333333333333333333333333333333333333' },
  types: {
    EIP712Domain: [field('chainId', 'uint256'), field('verifyingContract', 'address')],
    SafeTx: [
      field('to', 'address'),
      field('value', 'uint256'),
      field('data', 'bytes'),
      field('operation', 'uint8'),
      field('safeTxGas', 'uint256'),
      field('baseGas', 'uint256'),
      field('gasPrice', 'uint256'),
      field('gasToken', 'address'),
      field('refundReceiver', 'address'),
      field('nonce', 'uint256'),
    ],
  },
  primaryType: 'SafeTx',
  message: {
    to: STRANGER,
    value: '1000000000000000000',
    data: '0x',
    operation: '0',
    safeTxGas: '0',
    baseGas: '0',
    gasPrice: '0',
    gasToken: '0x0000000000000000000000000000000000000000',
    refundReceiver: '0x0000000000000000000000000000000000000000',
    nonce: '0',
  },
};

jest.setTimeout(900_000);

(why === undefined ? describe : describe.skip)(
  `Keystead Insights in an unmodified MetaMask${why === undefined ? '' : ` (${why})`}`,
  () => {
    const profile = mkdtempSync(join(tmpdir(), 'keystead-stable-'));
    const version = (JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string })
      .version;
    let packages: PackageStandIn;
    let pages: LoopbackServer;
    let metamask: MetaMask;
    let site: WalletSite;

    beforeAll(async () => {
      packages = await servePackages([assemble('keystead-insights'), assemble('keystead')]);
      pages = await listenOnLoopback(0, (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A site</title>');
      });
      metamask = await MetaMask.open(FOLDER!, profile, packages.args);
      await metamask.start();
      site = await WalletSite.open(metamask, `http://localhost:${pages.port}/`, { snapId: INSIGHTS } as never);
    });
    afterAll(async () => {
      await metamask.close();
      await Promise.all([packages.stop(), pages.stop()]);
      rmSync(profile, { recursive: true, force: true });
    });

    /** What the insight in MetaMask's confirmation of a request says. The request is rejected. */
    const insight = async (method: string, params: unknown): Promise<string> => {
      let text = '';
      const look = async (page: Page): Promise<void> => {
        const screen = page.locator(`.${SNAP_SCREEN}`).filter({ visible: true }).first();
        await screen.waitFor();
        text = await screen.innerText();
      };
      expect(await site.askAndReject(method, params, look)).toMatchObject({ code: 4001 });
      return text.replace(/\s+/gu, ' ');
    };

    it('is installed without an allow-list, and the edition with accounts is not', async () => {
      await site.ask('wallet_requestSnaps', { [INSIGHTS]: { version } });
      expect(await site.read('wallet_getSnaps')).toMatchObject({ [INSIGHTS]: { version, enabled: true } });
      const refused = await site.attempt('wallet_requestSnaps', { 'npm:keystead': { version } });
      expect(refused).toMatchObject({ error: { message: expect.stringMatching(/allowlist/u) as string } });
      await site.ask('eth_requestAccounts');
    });

    it('explains a permit', async () => {
      const text = await insight('eth_signTypedData_v4', [ACCOUNT, JSON.stringify(PERMIT)]);
      expect(text).toContain('spend all of your USDC');
    });

    it('explains a transaction of a Safe', async () => {
      const text = await insight('eth_signTypedData_v4', [ACCOUNT, JSON.stringify(SAFE_TRANSACTION)]);
      expect(text).toContain('Send 1 ETH to 0x742d…f44e');
    });

    it('has a home page that says what it watches', async () => {
      const page = await metamask.openHome('Keystead Insights');
      expect(await page.locator(`.${SNAP_SCREEN}`).first().innerText()).toContain('Accounts that it watches');
      await page.close();
    });

    it('is removed, and leaves nothing', async () => {
      await metamask.removeSnap('Keystead Insights', () => Promise.resolve());
      expect(await site.read('wallet_getSnaps')).toEqual({});
    });
  },
);
