import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

import { type Hex, toHex, verifyMessage } from 'viem';
import { generatePrivateKey } from 'viem/accounts';

import { devnetOf } from '../../support/browser/devnet-node';
import { describeCompanion } from '../../support/browser/fixture';

/** A site of another origin that answers every request with its one page, as development servers do. */
async function startSite(html: string): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

describeCompanion('the simulated wallet', (fixture) => {
  it('is said to be locked, and the page goes on once it is unlocked', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const notice = page.getByRole('alert').filter({ hasText: 'The simulated wallet is locked.' });
    await companion.press('Lock');
    await companion.view('Activity');
    await notice.waitFor();
    expect(await page.locator('main').innerText()).not.toContain('eth_requestAccounts');
    await companion.press('Unlock');
    await page.getByText('Nothing signed or sent yet').waitFor();
    await notice.waitFor({ state: 'hidden' });

    await companion.press('Lock');
    await page.reload();
    await notice.waitFor();
    expect(await page.locator('main').innerText()).not.toContain('eth_requestAccounts');
    await companion.press('Unlock');
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
  });

  it('says what a wipe would lose, and asks first', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const address = await companion.createAccount('eoa');
    await companion.createAccount('0.7');
    await companion.importKey(generatePrivateKey());
    const phrase = await companion.phrase();
    await companion.press('Wallet');
    const question = page.getByRole('dialog').filter({ hasText: 'Wipe the simulated wallet?' });
    const losses = async (): Promise<string[]> => (await question.getByRole('listitem').allInnerTexts()).slice(0, -1);
    const others = [
      'Accounts of the recovery phrase: 2. Only the phrase restores them.',
      'Imported accounts: 1. Only copies of their private keys restore them, or a backup together with the phrase.',
    ];

    await companion.press('Wipe everything');
    await question.waitFor();
    expect(await losses()).toEqual([expect.stringContaining('The recovery phrase.'), ...others]);
    await companion.press('Cancel', question);
    await question.waitFor({ state: 'hidden' });

    // After a rejection the typed phrase is still there. The phrase to recover is the current one, so it is not lost.
    const field = page.getByLabel('Recover from a phrase');
    await field.fill(phrase);
    await companion.press('Wipe and recover');
    await question.waitFor();
    expect(await losses()).toEqual(others);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    expect(await field.inputValue()).toBe(phrase);
    await companion.press('Close');
    await companion.reload();
    expect(await companion.addresses()).toContain(address);

    await companion.press('Wallet');
    await companion.press('Wipe everything');
    await companion.press('Wipe', question);
    await companion.install();
    expect(await companion.stored()).toEqual([]);
    expect(await companion.phrase()).not.toBe(phrase);
  });

  it('returns the focus when one of its dialogs closes', async () => {
    const { page } = await fixture().ready();
    for (const name of ['Keystead', 'Wallet']) {
      const button = page.getByRole('button', { name, exact: true });
      await button.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await page.locator('button:focus', { hasText: name }).waitFor();
    }
  });

  it('adds an account for a page of another origin, which connects and signs', async () => {
    const { snapId } = await devnetOf(fixture().world);
    const script = `${snapId.replace(/^local:/u, '')}/wallet.js`;
    const site = await startSite(`<!doctype html><title>A site</title><script type="module" src="${script}"></script>`);
    try {
      const companion = await fixture().open({}, site.url);
      const installing = companion.ask('wallet_requestSnaps', { [snapId]: {} });
      await companion.answer('Permissions', 'Install');
      expect(await installing).toMatchObject({ result: { [snapId]: { enabled: true } } });

      await companion.press('Wallet');
      await companion.press('Add an account');
      await companion.answer('Add the account to the wallet?', 'Cancel');
      await companion.page.getByText('User denied account creation').waitFor();
      const reloading = companion.page.waitForEvent('load');
      await companion.press('Add an account');
      await companion.answer('Add the account to the wallet?', 'Add account');
      await reloading;

      const call = (method: string, params: unknown[] = []) =>
        companion.ask('wallet_invokeSnap', { snapId, request: { method, params } });
      const connecting = call('eth_requestAccounts');
      await companion.answer(new URL(site.url).origin, 'Approve');
      const [address] = (await connecting).result as [Hex];
      const signing = call('personal_sign', [toHex('Hello'), address]);
      await companion.answer('Hello', 'Approve');
      const signature = (await signing).result as Hex;
      expect(await verifyMessage({ address, message: 'Hello', signature })).toBe(true);
    } finally {
      await site.stop();
    }
  });
});
