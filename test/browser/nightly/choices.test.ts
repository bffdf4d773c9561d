import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTestClient, http } from 'viem';

import { type Anvil, startAnvil } from '../../../src/devnet/anvil';
import { type Bundler, startBundler } from '../../../src/devnet/bundler';
import { writeFirstState } from '../../../src/devnet/chain/state';
import { describeCompanion } from '../../support/browser/fixture';

const OTHER = 31_338;
const FIRST_CHAIN = 'eip155:31337';
const OTHER_CHAIN = `eip155:${OTHER}`;
const OTHER_NAME = `Network ${OTHER}`;

describeCompanion('chains and dialogs of the companion page', (fixture) => {
  describe('with two networks', () => {
    const folder = mkdtempSync(join(tmpdir(), 'keystead-'));
    let other: Anvil;
    let bundler: Bundler;
    beforeAll(async () => {
      const state = join(folder, 'state.json');
      writeFirstState(state);
      other = await startAnvil({ state });
      const node = createTestClient({ mode: 'anvil', transport: http(other.url) });
      await node.request<{ Method: string; Parameters: [number]; ReturnType: null }>({
        method: 'anvil_setChainId',
        params: [OTHER],
      });
      bundler = await startBundler({ rpcUrl: other.url });
    });
    afterAll(async () => {
      await bundler.stop();
      await other.stop();
      rmSync(folder, { recursive: true });
    });

    /** Opens a page with both networks, and a Safe on the chains given. */
    const withSafe = async (...chains: readonly string[]) => {
      const companion = await fixture().ready();
      const { page } = companion;
      // The bundler sends no CORS headers, which browsers require.
      await companion.context.route(`${bundler.url}/**`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), 'access-control-allow-origin': '*' } });
      });
      await companion.view('Settings');
      const settings = page.getByRole('region', { name: 'Networks' });
      await settings.getByText('Add a network').click();
      await settings.getByLabel('Chain ID').fill(OTHER_CHAIN);
      await settings.getByLabel('Node (RPC URL)', { exact: true }).fill(other.url);
      await settings.getByLabel('Bundler URL').fill(bundler.url);
      await companion.press('Add network', settings);
      await companion.answer(`Add network ${OTHER}`, 'Approve');
      await settings.getByRole('heading', { name: OTHER_NAME }).waitFor();
      const form = page.getByRole('region', { name: 'New account' }).locator('form');
      for (const chain of chains) {
        await companion.go('add-account', 'Add an account');
        await form.getByLabel('Network of the account').selectOption(chain);
        await companion.press('Create account', form);
        if (chain === chains[0]) await companion.answer('Add the account', 'Add account');
        await page.waitForURL(/#\/account\//u);
      }
      const [address] = await companion.stored();
      return { companion, page, address: address! };
    };

    it('signs with a Safe on its own chain, not on the first one, and offers typed data for that chain', async () => {
      const { companion, page, address } = await withSafe(OTHER_CHAIN);
      await companion.view('Sign');
      await page.getByLabel('What to sign').selectOption('typed');
      const sample = JSON.parse(await page.getByLabel('Typed data', { exact: true }).inputValue()) as unknown;
      expect(sample).toMatchObject({ domain: { chainId: OTHER } });
      await companion.press('Sign');
      await companion.connect(address);
      await companion.answer('Keystead companion', 'Approve');
      await page.getByText('Signed.', { exact: true }).waitFor();
    });

    it('signs with a Safe of two chains on the one that was not removed', async () => {
      const { companion, page, address } = await withSafe(FIRST_CHAIN, OTHER_CHAIN);
      await companion.view('Settings');
      await companion.press('Remove Keystead devnet');
      await companion.answer(`Remove network ${FIRST_CHAIN.slice(7)}`, 'Approve');
      await page.getByRole('heading', { name: 'Keystead devnet' }).waitFor({ state: 'hidden' });
      await companion.view('Sign');
      await companion.press('Sign');
      await companion.connect(address);
      await companion.answer('Hello from Keystead', 'Approve');
      await page.getByText('Signed.', { exact: true }).waitFor();
    });
  });

  it('keeps the selected account when the page renders again', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const [first, second] = [await companion.createAccount('eoa'), await companion.createAccount('eoa')];
    await companion.account(second);
    await page.getByRole('main').getByRole('link', { name: 'Sign', exact: true }).click();
    const account = page.getByLabel('Account', { exact: true });
    expect(await account.inputValue()).toBe(second);
    await account.selectOption(first);
    await page.getByLabel('What to sign').selectOption('typed');
    await page.getByLabel('Typed data', { exact: true }).waitFor();
    expect(await account.inputValue()).toBe(first);
  });

  it('keeps a question on top of a wallet page that opens later', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    await companion.createAccount('eoa');
    const asking = companion.ask('eth_requestAccounts');
    const question = page.getByRole('dialog').filter({ hasText: 'Connect accounts' });
    await question.waitFor();
    // As if the button had been pressed earlier and its page took until now to open.
    await page.getByRole('button', { name: 'Keystead', exact: true }).dispatchEvent('click');
    const home = page.getByRole('dialog').filter({ hasText: 'Keystead in the wallet' });
    await home.waitFor();
    await question.locator('h2:focus').waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    expect(await asking).toMatchObject({ code: 4001 });
    expect(await home.isVisible()).toBe(true);
  });

  it('opens a wallet page only once', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const button = page.getByRole('button', { name: 'Wallet', exact: true });
    for (let press = 0; press < 2; press += 1) await button.dispatchEvent('click');
    await page.getByRole('dialog').first().waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
  });
});
