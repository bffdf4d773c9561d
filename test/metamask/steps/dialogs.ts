import { type Page } from 'playwright-core';
import { type Hex, recoverMessageAddress, stringToHex } from 'viem';

import { listenOnLoopback, type LoopbackServer } from '../../../src/devnet/loopback';
import { type Run } from '../../support/metamask/run';
import { type Reply, type WalletSite } from '../../support/metamask/wallet-site';

const BOX = 'Reject this, and all requests from this site for a minute';
const SPAM = 20;

/** MetaMask shows one dialog of a kind for each snap, and requests of several sites and of the Keystead page meet. */
export function dialogSteps(run: Run): void {
  describe('dialogs that meet', () => {
    let server: LoopbackServer;
    let sites: readonly [WalletSite, WalletSite];
    let account: Hex;

    beforeAll(async () => {
      account = run.address('a standard account');
      server = await listenOnLoopback(0, (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A site</title>');
      });
      const open = async (host: string): Promise<WalletSite> => {
        const site = await run.visit(`http://${host}:${server.port}/`);
        await site.ask('wallet_requestSnaps', { [site.devnet.snapId]: {} });
        await site.connect(account, 'snap');
        return site;
      };
      sites = [await open('localhost'), await open('127.0.0.1')];
      await run.site.connect(account, 'snap');
    });
    afterAll(async () => {
      for (const { page } of sites) await page.close();
      await server.stop();
    });

    const sign = (site: WalletSite, message: string): Promise<Reply<Hex>> =>
      site.attempt<Hex>('wallet_invokeSnap', site.invocation('personal_sign', [stringToHex(message), account]));
    const codeOf = (reply: Reply<unknown>): number | undefined => ('error' in reply ? reply.error.code : undefined);

    it('signs for two sites, and for the Keystead page behind them', async () => {
      const first = sign(sites[0], 'The first site');
      const dialog = await run.metamask.openDialog();
      const second = sign(sites[1], 'The second site');
      const own = sign(run.site, 'The page');
      const messages = ['The first site', 'The second site', 'The page'];
      if (!dialog.isClosed()) await dialog.close();
      const replies = await run.metamask.approve(Promise.all([first, second, own]), run.look);
      for (const [index, reply] of replies.entries()) {
        if ('error' in reply) throw new Error(`${messages[index]}: ${reply.error.code} ${reply.error.message}`);
        expect(await recoverMessageAddress({ message: messages[index]!, signature: reply.result })).toBe(account);
      }
    });

    it('shows a site that asks again and again two dialogs, then an offer to reject all of them', async () => {
      const [spammer, other] = sites;
      const asked = Promise.all(Array.from({ length: SPAM }, (_, index) => sign(spammer, `Spam ${index}`)));
      const codes = (await run.metamask.reject(asked)).map(codeOf);
      expect(codes.filter((code) => code === 4001)).toHaveLength(2);
      expect(codes.filter((code) => code === -32002)).toHaveLength(SPAM - 2);

      let isOffered = false;
      const check = async (page: Page): Promise<void> => {
        const box = page.getByText(BOX);
        if (!(await box.isVisible())) return;
        isOffered = true;
        await box.click();
        await page.locator('input[type="checkbox"]:checked').waitFor({ state: 'attached' });
        await run.look(page);
      };
      expect(codeOf(await run.metamask.approve(sign(spammer, 'More spam'), check))).toBe(4001);
      expect(isOffered).toBe(true);
      // Nobody presses anything now: the site is refused at once, and another one is not.
      expect(codeOf(await sign(spammer, 'Still more spam'))).toBe(4001);
      expect(codeOf(await run.metamask.approve(sign(other, 'No spam'), run.look))).toBeUndefined();
    });
  });
}
