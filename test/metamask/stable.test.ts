import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Page } from 'playwright-core';
import { encodeFunctionData, erc20Abi, maxUint256, parseAbi } from 'viem';

import { assemble } from '../../scripts/release/packages';
import { type Anvil, startAnvil } from '../../src/devnet/anvil';
import { standInModule, writeFirstState } from '../../src/devnet/chain/state';
import { listenOnLoopback, type LoopbackServer } from '../../src/devnet/loopback';
import { setGuardians } from '../../src/core/safe/recovery/calls';
import { RECOVERY_ABI } from '../../src/core/safe/recovery/abi';
import { chainClient, type ChainClient } from '../support/chain/contracts';
import { guardedSafe, person } from '../support/chain/guarded-safe';
import { hasPeers } from '../support/chain/peers';
import { placeToken } from '../support/chain/placed-token';
import { typedData } from '../support/explaining';
import { noOpenssl } from '../support/service/certificate';
import { hurried } from '../support/metamask/hurried';
import { MetaMask, SNAP_SCREEN } from '../support/metamask/metamask';
import { type PackageStandIn, servePackages } from '../support/metamask/package-stand-in';
import { WalletSite } from '../support/metamask/wallet-site';
import { dataOf, PROTOCOLS } from '../support/protocols';
import open from '../package/open-permissions.json';

/** The folder of an unmodified stable MetaMask. */
const FOLDER = process.env['METAMASK_STABLE_DIR'];
const why =
  FOLDER === undefined || !existsSync(join(FOLDER, 'manifest.json'))
    ? 'skipped: METAMASK_STABLE_DIR names no unpacked stable MetaMask'
    : hasPeers
      ? noOpenssl
      : 'skipped: run scripts/install-chain-peers.sh first';

const INSIGHTS = 'npm:keystead-insights';
const ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const STRANGER = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e';
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

/** A router of Uniswap, and what a swap by it says. */
const ROUTER = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45';
const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const SWAP = parseAbi([
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96))',
]);

const MINT = parseAbi(['function mint(address to, uint256 amount)']);

/** The host of the node that MetaMask asks for Ethereum. */
const NODE = 'mainnet.infura.io';
const LATE = 4_102_444_800;
/** A contract, in whose name its owners sign. */
const CONTRACT = '0x3333333333333333333333333333333333333333';

/** The message of a protocol, with other values. */
const messageOf = (protocol: string, values: object) => {
  const found = PROTOCOLS.find(({ name }) => name === protocol)!;
  return dataOf({ ...found, message: { ...found.message, ...values } });
};

/** Typed data for Ethereum, and what the insight says of it. MetaMask signs no delegation of its own accounts. */
const MESSAGES = [
  [
    'a permit',
    'permit',
    messageOf('USDC permit', { owner: ACCOUNT, spender: STRANGER, value: maxUint256.toString(), deadline: LATE }),
    'spend all of your USDC',
  ],
  [
    'a transaction of a Safe',
    'safe-transaction',
    messageOf('Safe transaction', { to: STRANGER, operation: 0 }),
    'Send 1 ETH to 0x742d…f44e',
  ],
  [
    'an order of Seaport that gives something away',
    'order',
    messageOf('OpenSea (Seaport) listing', { offerer: ACCOUNT, endTime: LATE }),
    'This order gives your items away.',
  ],
  [
    'a delegation without limits',
    'delegation',
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
] as const;

type Asked = { readonly params?: readonly unknown[] };

/** The folder for pictures, if somebody wants to look at them. */
const PICTURES = process.env['METAMASK_PICTURES'];

/** Takes a picture of a page of MetaMask at its narrowest, if it has a name. */
async function picture(page: Page, name: string | undefined): Promise<void> {
  if (PICTURES === undefined || name === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.setViewportSize({ width: 360, height: 1_000 });
  await page.locator(`.${SNAP_SCREEN}`).first().scrollIntoViewIfNeeded();
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 });
  await session.detach();
  writeFileSync(join(PICTURES, `${name}.webp`), Buffer.from(data, 'base64'));
}

jest.setTimeout(900_000);

(why === undefined ? describe : describe.skip)(
  `Keystead Insights in an unmodified MetaMask${why === undefined ? '' : ` (${why})`}`,
  () => {
    const profile = mkdtempSync(join(tmpdir(), 'keystead-stable-'));
    const version = (JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string })
      .version;
    const later = version.replace(/\d+$/u, (last) => `${Number(last) + 1}`);
    const module = standInModule();
    const [guardian, fresh] = [person('guardian').address, person('fresh').address];
    let anvil: Anvil;
    let chain: ChainClient;
    let account: Awaited<ReturnType<typeof guardedSafe>>;
    let packages: PackageStandIn;
    let pages: LoopbackServer;
    let metamask: MetaMask;
    let site: WalletSite;
    /** Called with what the node is asked about the Safe. */
    let onLook: ((asked: string) => void) | undefined;

    beforeAll(async () => {
      // A chain that says it is Ethereum stands behind the node that MetaMask has for it.
      const state = join(profile, 'chain.json');
      writeFirstState(state);
      anvil = await startAnvil({ state, chainId: 1 });
      chain = chainClient(anvil.url, 1);
      await chain.setNonce({ address: chain.account.address, nonce: 1000 });
      await placeToken(chain, USDC, 'USDC', 6);
      await chain.setCode({ address: ROUTER, bytecode: '0x00' });
      const holding = encodeFunctionData({ abi: MINT, functionName: 'mint', args: [ACCOUNT, 1_000_000_000n] });
      await chain.waitForTransactionReceipt({ hash: await chain.sendTransaction({ to: USDC, data: holding }) });
      account = await guardedSafe(chain, anvil.url, module, person('owner').address);
      await account.asSafe(setGuardians({ guardians: [guardian], threshold: 1n }, await account.read()));

      const insights = assemble('keystead-insights');
      const folders = [insights, assemble('keystead'), await hurried(insights, later)];
      const onAsked = (body: string): void => {
        for (const { params } of [JSON.parse(body) as Asked | Asked[]].flat()) {
          const asked = JSON.stringify(params?.[0] ?? '').toLowerCase();
          if (asked.includes(account.safe.slice(2).toLowerCase())) onLook?.(asked);
        }
      };
      packages = await servePackages(folders, { [NODE]: { url: anvil.url, onAsked } });
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
      await Promise.all([packages.stop(), pages.stop(), anvil.stop()]);
      rmSync(profile, { recursive: true, force: true });
    });

    let rejected = 0;
    /** What the insight in MetaMask's confirmation of a request says. The request is rejected. */
    const insight = async (method: string, params: unknown, name?: string): Promise<string> => {
      // MetaMask offers to block a site after two rejections in a row.
      if (rejected > 0 && rejected % 2 === 0) await site.ask('personal_sign', ['0x68656c6c6f', ACCOUNT]);
      rejected++;
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
    const home = () => metamask.openHome('Keystead Insights');
    /** Installs a version of the snap. MetaMask shows the result until somebody closes it, in place of other pages. */
    const install = async (wanted: string): Promise<void> => {
      const look = async (page: Page): Promise<void> => {
        expect(await page.locator(`.${SNAP_SCREEN}`).filter({ visible: true }).count()).toBe(0);
      };
      await site.ask('wallet_requestSnaps', { [INSIGHTS]: { version: wanted } }, look);
      await metamask.approveAll();
    };
    /** What a page shows once it has a text. */
    const shown = async (page: Page, text: string): Promise<string> => {
      const screen = page.locator(`.${SNAP_SCREEN}`).filter({ visible: true, hasText: text }).first();
      await screen.waitFor();
      return (await screen.innerText()).replace(/\s+/gu, ' ');
    };
    const press = (page: Page, button: string): Promise<void> =>
      page.locator(`.${SNAP_SCREEN} button`).filter({ hasText: button }).first().press('Enter');
    /** Searches for what others may take, on the home page, until the wallet knows the newest block. */
    const search = async (name: string): Promise<string> => {
      const page = await home();
      const newest = `to ${await chain.getBlockNumber({ cacheTime: 0 })} at`;
      await press(page, 'Search on Ethereum');
      await shown(page, 'Searched block');
      while (!(await page.locator(`.${SNAP_SCREEN}`).filter({ hasText: newest }).first().isVisible()))
        await press(page, 'Search again');
      const found = await shown(page, newest);
      await picture(page, name);
      await page.close();
      return found;
    };
    const approve = (amount: bigint): Promise<void> => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [STRANGER, amount] });
      return account.sendAs(ACCOUNT, { to: USDC, value: 0n, data });
    };

    it('is installed although MetaMask cannot read its list of snaps, and opens nothing by itself', async () => {
      const wallet = JSON.parse(readFileSync(join(FOLDER!, 'manifest.json'), 'utf8')) as Record<string, string>;
      // The list of open permissions is that of this build.
      expect(`MetaMask ${wallet.version}`).toContain(open.wallet);
      await install(version);
      expect(await site.read('wallet_getSnaps')).toMatchObject({ [INSIGHTS]: { version, enabled: true } });
    });

    it('has a home page that says what it does', async () => {
      const page = await home();
      expect(await shown(page, 'What Keystead Insights does')).toContain('Accounts that it watches');
      await picture(page, 'home');
      await page.close();
    });

    it.each(MESSAGES)('explains %s', async (_what, name, message, said) => {
      expect(await insight('eth_signTypedData_v4', [ACCOUNT, JSON.stringify(message)], name)).toContain(said);
    });

    it('explains an approval', async () => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [STRANGER, maxUint256] });
      const text = await insight('eth_sendTransaction', [{ from: ACCOUNT, to: USDC, data }]);
      expect(text).toContain('spend all of your USDC');
    });

    it('explains a swap', async () => {
      const args = [
        {
          tokenIn: USDC,
          tokenOut: WETH,
          fee: 500,
          recipient: STRANGER,
          amountIn: 100_000_000n,
          amountOutMinimum: 1n,
          sqrtPriceLimitX96: 0n,
        },
      ] as const;
      const data = encodeFunctionData({ abi: SWAP, functionName: 'exactInputSingle', args });
      const text = await insight('eth_sendTransaction', [{ from: ACCOUNT, to: ROUTER, data }], 'swap');
      expect(text).toContain('100 USDC');
      expect(text).toContain(STRANGER);
    });

    it('lists what it explained, and who may take what until that is taken back', async () => {
      await approve(maxUint256);
      const page = await home();
      const explained = await shown(page, 'Signed and may still count');
      expect(explained).toContain('Send it on etherscan.io');
      await picture(page, 'explained');
      await page.close();
      const found = await search('approvals');
      expect(found).toContain('All your USDC');
      expect(found).toContain('1000 USDC could be taken today.');
      expect(found).toContain('To take it back, send this from the account');
      await approve(0n);
      const after = await search('approvals-gone');
      expect(after).not.toContain('All your USDC');
      expect(after).toContain('nothing gives a permission that still holds');
    });

    it('raises an alarm of a recovery that begins while the wallet is locked', async () => {
      await install(later);
      const page = await home();
      await page.locator('#watched-address, input[placeholder="0x…"]').first().fill(account.safe);
      await press(page, 'Watch it');
      await shown(page, 'Stop watching');
      await page.close();
      const lock = await metamask.openMenu();
      await lock();
      const [abi, functionName] = [RECOVERY_ABI, 'confirmRecovery'] as const;
      const args = [account.safe, [fresh], 1n, true] as const;
      const begin = { to: module.address, value: 0n, data: encodeFunctionData({ abi, functionName, args }) };
      await account.sendAs(guardian, begin);
      // Each look asks the same, unless the wallet knows the answer at that block. Between the second time of a
      // question and the third, there was a whole look.
      await chain.setIntervalMining({ interval: 10 });
      await new Promise<void>((resolve) => {
        const times = new Map<string, number>();
        onLook = (asked) => {
          times.set(asked, (times.get(asked) ?? 0) + 1);
          if (times.get(asked) === 3) resolve();
        };
      });
      await metamask.start();
      const alarmed = await home();
      const text = await shown(alarmed, 'A watched account has changed');
      expect(text).toContain('A recovery has begun');
      expect(text).toContain(fresh);
      await picture(alarmed, 'alarm');
      await alarmed.close();
    });

    it('is open to anybody, unlike the edition with accounts', async () => {
      // MetaMask asks first whether the site may use it.
      const refused = await metamask.approve(site.attempt('wallet_requestSnaps', { 'npm:keystead': { version } }));
      expect(refused).toMatchObject({
        error: { message: expect.stringMatching(/registry is temporarily unavailable/u) as string },
      });
    });

    it('is removed, and leaves nothing', async () => {
      await metamask.removeSnap('Keystead Insights', () => Promise.resolve());
      expect(await site.read('wallet_getSnaps')).toEqual({});
      await install(version);
      const page = await home();
      const text = await shown(page, 'What it remembers');
      expect(text).toContain('Nothing yet.');
      expect(text).not.toContain('Stop watching');
      await page.close();
      await metamask.removeSnap('Keystead Insights', () => Promise.resolve());
    });
  },
);
