import { type Hex, recoverMessageAddress, stringToHex } from 'viem';

import { CompanionPage } from '../../support/metamask/companion-page';
import { type Created, KINDS, type Run } from '../../support/metamask/run';

const MESSAGE = 'Hello again, MetaMask';

/** What happens to the wallet as a whole: it is locked, its worker ends, the browser is closed, Keystead is removed. */
export function lifeSteps(run: Run): void {
  const page = new CompanionPage(run);
  /** On a busy machine, a wallet that has just started gives up waiting for the frame that runs snaps: then, again. */
  const listed = async (): Promise<readonly Created[]> => {
    for (;;) {
      const asked = run.site.attempt<readonly Created[]>(
        'wallet_invokeKeyring',
        run.site.invocation('keyring_listAccounts'),
      );
      const reply = await run.metamask.approve(asked);
      if (!('error' in reply)) return reply.result;
      if (!/^The executor for .+ (?:failed to initialize|couldn't start initialization)/u.test(reply.error.message))
        throw new Error(`keyring_listAccounts: ${reply.error.message}`);
    }
  };
  const addresses = async (): Promise<string[]> => (await listed()).map(({ address }) => address).sort();

  it('keeps a dialog that waits while MetaMask is locked, and signs after it is unlocked', async () => {
    const account = run.address('a standard account');
    await run.site.connect(account, 'snap');
    const lock = await run.metamask.openMenu();
    const params = [stringToHex(MESSAGE), account];
    const request = run.site.readSnap<Hex>('personal_sign', params);
    const dialog = await run.metamask.openDialog();
    await lock();
    if (!dialog.isClosed()) await dialog.close();
    const signature = await run.metamask.approve(request, run.look);
    expect(await recoverMessageAddress({ message: MESSAGE, signature })).toBe(account);
  });

  it('goes on after MetaMask’s service worker ended', async () => {
    const before = await listed();
    await run.metamask.stopWorker();
    expect(await listed()).toEqual(before);
  });

  it('has the same accounts after the browser was closed', async () => {
    const before = await listed();
    await run.metamask.close();
    await run.open();
    expect(await listed()).toEqual(before);
  });

  it('says on the page that MetaMask removes Keystead, looks again, and recovers the same addresses', async () => {
    const before = await addresses();
    expect(before).toHaveLength(Object.keys(KINDS).length);
    const { snapId } = run.site.devnet;
    await page.forget();
    await run.metamask.removeSnap('Keystead', () => page.connectDuringRemoval());
    // MetaMask asks for the new installation while it still removes, and may remove what it has just installed.
    if (!(snapId in (await run.site.read<object>('wallet_getSnaps')))) await page.install();
    // MetaMask writes a snap's state half a second late, and also after it was removed: the network, and accounts that
    // were not deleted by then, may be there again. The page offers to add such accounts again.
    expect(before).toEqual(expect.arrayContaining(await addresses()));
    const chains = await run.site.readSnap<readonly unknown[]>('keystead_getChains');
    if (chains.length === 0) await page.setUp();
    for (const address of before) await run.site.askFaucet(address);
    await page.recover();
    expect(await addresses()).toEqual(before);
  });
}
