import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Page } from 'playwright-core';
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem';

import { assemble } from '../../scripts/release/packages';
import { listenOnLoopback, type LoopbackServer } from '../../src/devnet/loopback';
import { typedData } from '../support/explaining';
import { noOpenssl } from '../support/service/certificate';
import { MetaMask, SNAP_SCREEN } from '../support/metamask/metamask';
import { type PackageStandIn, servePackages } from '../support/metamask/package-stand-in';
import { WalletSite } from '../support/metamask/wallet-site';
import { dataOf, PROTOCOLS } from '../support/protocols';

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

const LATE = 4_102_444_800;
/** A contract, in whose name its owners sign. */
const CONTRACT = '0x3333333333333333333333333333333333333333';

/** The message of a protocol, with other values. */
const messageOf = (protocol: string, values: object) => {
  const found = PROTOCOLS.find(({ name }) => name === protocol)!;
  return dataOf({ ...found, message: { ...found.message, ...values } });
};

/** Typed data for Ethereum, and what the insight says of it. MetaMask signs no delegation of its own accounts. */
const MESSAGES = {
  'a permit': [
    messageOf('USDC permit', { owner: ACCOUNT, spender: STRANGER, value: maxUint256.toString(), deadline: LATE }),
    'spend all of your USDC',
  ],
  'a transaction of a Safe': [
    messageOf('Safe transaction', { to: STRANGER, operation: 0 }),
    'Send 1 ETH to 0x742d…f44e',
  ],
  'an order of Seaport that gives something away': [
    messageOf('OpenSea (Seaport) listing', { offerer: ACCOUNT, endTime: LATE }),
    'This order gives your items away.',
  ],
  'a delegation without limits': [
    typedData(
      'Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)Caveat(address enforcer,bytes terms)',
      {
        name: 'DelegationManager',
        version: '1',
        chainId: 1,
        verifyingContract: '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3',
      },
      { delegate: STRANGER, delegator: CONTRACT, authority: `0x${'f'.repeat(64)}`, caveats: [], salt: '1' },
    ),
    'This lets 0x742d…f44e do anything with 0x3333…3333, without limits.',
  ],
} as const;

/** The folder for pictures, if somebody wants to look at them. */
const PICTURES = process.env['METAMASK_PICTURES'];

/** Takes a picture of a page of MetaMask at its narrowest. */
async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.setViewportSize({ width: 360, height: 1_000 });
  await page.locator(`.${SNAP_SCREEN}`).first().scrollIntoViewIfNeeded();
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 });
  await session.detach();
  writeFileSync(join(PICTURES, `stable ${name}.webp`), Buffer.from(data, 'base64'));
}

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
      await site.ask('eth_requestAccounts');
    });
    afterAll(async () => {
      await metamask.close();
      await Promise.all([packages.stop(), pages.stop()]);
      rmSync(profile, { recursive: true, force: true });
    });

    /** What the insight in MetaMask's confirmation of a request says. The request is rejected. */
    const insight = async (name: string, method: string, params: unknown): Promise<string> => {
      let text = '';
      const look = async (page: Page): Promise<void> => {
        const screen = page.locator(`.${SNAP_SCREEN}`).filter({ visible: true }).first();
        await screen.waitFor();
        text = await screen.innerText();
        await picture(page, name);
      };
      expect(await site.askAndReject(method, params, look)).toMatchObject({ code: 4001 });
      return text.replace(/\s+/gu, ' ');
    };

    it('is installed although MetaMask cannot read its list of snaps, and the edition with accounts is not', async () => {
      await site.ask('wallet_requestSnaps', { [INSIGHTS]: { version } });
      expect(await site.read('wallet_getSnaps')).toMatchObject({ [INSIGHTS]: { version, enabled: true } });
      // MetaMask asks first whether the site may use it.
      const refused = await metamask.approve(site.attempt('wallet_requestSnaps', { 'npm:keystead': { version } }));
      expect(refused).toMatchObject({
        error: { message: expect.stringMatching(/registry is temporarily unavailable/u) as string },
      });
    });

    it.each(Object.entries(MESSAGES))('explains %s', async (name, [message, said]) => {
      expect(await insight(name, 'eth_signTypedData_v4', [ACCOUNT, JSON.stringify(message)])).toContain(said);
    });

    it('explains a transaction, without a node that answers', async () => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [STRANGER, maxUint256] });
      const text = await insight('a transaction', 'eth_sendTransaction', [{ from: ACCOUNT, to: USDC, data }]);
      expect(text).toContain('spend all of your USDC');
    });

    it('has a home page that says what it watches', async () => {
      const page = await metamask.openHome('Keystead Insights');
      expect(await page.locator(`.${SNAP_SCREEN}`).first().innerText()).toContain('Accounts that it watches');
      await picture(page, 'home page');
      await page.close();
    });

    it('is removed, and leaves nothing', async () => {
      await metamask.removeSnap('Keystead Insights', () => Promise.resolve());
      expect(await site.read('wallet_getSnaps')).toEqual({});
    });
  },
);
