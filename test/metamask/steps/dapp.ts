import { join } from 'node:path';

import { type Page } from 'playwright-core';
import { type Hex, numberToHex, recoverMessageAddress } from 'viem';

import { DEVNET_CHAIN } from '../../../src/devnet/chain/definition';
import { listenOnLoopback, type LoopbackServer } from '../../../src/devnet/loopback';
import { sendFile } from '../../../src/devnet/static-files';
import { SNAP_SCREEN } from '../../support/metamask/metamask';
import { testId } from '../../support/metamask/onboarding';
import { type Run } from '../../support/metamask/run';
import { type WalletSite } from '../../support/metamask/wallet-site';

const TEST_DAPP = join(__dirname, '../../../node_modules/@metamask/test-dapp/dist');
/** Signs, in MetaMask's own confirmation. */
const SIGN_BUTTON = testId('confirm-footer-button');
const INSIGHTS = join(__dirname, '../../../dist-insights');
const HASH = /^0x[0-9a-f]{64}$/u;
const CHAIN_ID = numberToHex(DEVNET_CHAIN.id);

/** What the dapp signs when a person signs in. */
const signIn = (host: string, account: string): string =>
  [
    `${host} wants you to sign in with your Ethereum account:`,
    account,
    '',
    'I accept the MetaMask Terms of Service: https://community.metamask.io/tos',
    '',
    `URI: https://${host}`,
    'Version: 1',
    'Chain ID: 1',
    'Nonce: 32891757',
    'Issued At: 2021-09-30T16:25:24.000Z',
  ].join('\n');

/** MetaMask's test dapp asks MetaMask, which explains by Keystead and signs by it. */
export function dappSteps(run: Run): void {
  describe('through MetaMask’s provider, in its test dapp', () => {
    let server: LoopbackServer;
    let insights: LoopbackServer;
    let dapp: WalletSite;
    let account: Hex;
    /** What our insights in MetaMask's confirmations have said since the last press. */
    const shown: string[] = [];

    const serve = (folder: string): Promise<LoopbackServer> =>
      listenOnLoopback(0, (request, response) => {
        sendFile(folder, request, response, { 'access-control-allow-origin': '*' });
      });
    beforeAll(async () => {
      [server, insights] = await Promise.all([serve(TEST_DAPP), serve(INSIGHTS)]);
    });
    afterAll(async () => {
      await Promise.all([server.stop(), insights.stop()]);
    });

    const look = async (page: Page): Promise<void> => {
      await run.look(page);
      for (const screen of await page.locator(`.${SNAP_SCREEN}`).filter({ visible: true }).all())
        shown.push(await screen.innerText());
    };
    /** Presses a button of the dapp, and approves. @returns What the dapp then writes there. */
    const press = async (button: string, result: string, seen = look): Promise<string> => {
      shown.length = 0;
      const { page } = dapp;
      const written = page.locator(`#${result}`).filter({ hasText: /\S/u });
      await page.locator(`#${result}`).evaluate((element: { textContent: string | null }) => {
        element.textContent = '';
      });
      const pressed = page
        .locator(`#${button}`)
        .click()
        .then(() => written.waitFor());
      await run.metamask.approve(pressed, seen);
      return written.innerText();
    };
    /** Has the dapp recover who signed what it asked for. */
    const recovered = async (button: string, result: string): Promise<string> => {
      await dapp.page.locator(`#${button}`).click();
      const written = dapp.page.locator(`#${result}`).filter({ hasText: /\S/u });
      await written.waitFor();
      return written.innerText();
    };
    /** Presses a button of the dapp, which sends a transaction, and approves. @returns The mined transaction. */
    const send = async (button: string) => {
      shown.length = 0;
      // The dapp writes the hash to its console.
      const hash = dapp.page
        .waitForEvent('console', (message) => HASH.test(message.text()))
        .then((message) => message.text() as Hex);
      await dapp.page.locator(`#${button}`).click();
      await run.metamask.approve(hash, look);
      const node = await run.node;
      const { status } = await node.waitForTransactionReceipt({ hash: await hash });
      return { ...(await node.getTransaction({ hash: await hash })), status };
    };

    it('takes the network and the account from MetaMask', async () => {
      account = run.address('a standard account');
      await run.site.askFaucet(account);
      dapp = await run.visit(`http://localhost:${server.port}/`);
      const { name, rpcUrl } = dapp.devnet.chain;
      const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
      const network = { chainId: CHAIN_ID, chainName: name, rpcUrls: [rpcUrl], nativeCurrency };
      await dapp.connect(account, 'ask');
      await dapp.ask('wallet_addEthereumChain', [network]);
      expect(await dapp.read('eth_accounts')).toEqual([account.toLowerCase()]);
      expect(await dapp.read('eth_chainId')).toBe(CHAIN_ID);
    });

    it('signs a message, and says below it what it is', async () => {
      await press('personalSign', 'personalSignResult');
      expect(await recovered('personalSignVerify', 'personalSignVerifySigUtilResult')).toBe(account.toLowerCase());
      expect(shown.join('\n')).toContain('Sign a message');
    });

    it('signs in', async () => {
      const signature = (await press('siwe', 'siweResult')) as Hex;
      const message = signIn(new URL(dapp.page.url()).host, account.toLowerCase());
      expect(await recoverMessageAddress({ message, signature })).toBe(account);
    });

    it('signs typed data', async () => {
      await press('signTypedDataV4', 'signTypedDataV4Result');
      expect(await recovered('signTypedDataV4Verify', 'signTypedDataV4VerifyResult')).toBe(account.toLowerCase());
    });

    it('signs a permit, and says who may spend what', async () => {
      await press('signPermit', 'signPermitResult');
      expect(await recovered('signPermitVerify', 'signPermitVerifyResult')).toBe(account.toLowerCase());
    });

    it.each([
      ['a legacy transaction', 'sendButton', 'legacy'],
      ['an EIP-1559 transaction', 'sendEIP1559Button', 'eip1559'],
    ])('sends %s, which is mined, and says in MetaMask’s confirmation what it does', async (_name, button, type) => {
      expect(await send(button)).toMatchObject({ type, status: 'success', from: account.toLowerCase() });
      expect(shown.join('\n')).toContain('Send 0');
    });

    it('also installs Keystead Insights, which explains beside Keystead', async () => {
      const snapId = `local:http://localhost:${insights.port}`;
      await dapp.ask('wallet_requestSnaps', { [snapId]: {} });
      let isNamed = false;
      await press('personalSign', 'personalSignResult', async (page) => {
        if (!(await page.locator(SIGN_BUTTON).isVisible())) return;
        // Of two, the second is collapsed. It is drawn some time after the button.
        await page.getByText('Keystead Insights').first().waitFor();
        isNamed = true;
      });
      expect(isNamed).toBe(true);
    });
  });
}
