import { CompanionPage } from '../../support/metamask/companion-page';
import { type Created, type Kind, KINDS, type Run } from '../../support/metamask/run';

/** The page installs Keystead and sets it up, and MetaMask takes an account of each kind. */
export function accountSteps(run: Run): void {
  const page = new CompanionPage(run);

  it('is installed from the page', async () => {
    await page.install();
    const installed = await run.site.read<Record<string, { enabled: boolean }>>('wallet_getSnaps');
    expect(installed[run.site.devnet.snapId]).toMatchObject({ enabled: true, blocked: false });
  });

  it('adds a network in its own dialog, which the page asks for', async () => {
    await page.setUp();
    const { chainId } = run.site.devnet.chain;
    expect(await run.site.readSnap('keystead_getChains')).toMatchObject([{ chainId }]);
  });

  it.each(Object.entries(KINDS))('creates %s, which MetaMask takes', async (kind, options) => {
    const chain = options.type === 'eip155:eoa' ? {} : { chainId: run.site.devnet.chain.chainId };
    const params = { options: { ...options, ...chain } };
    const account = await run.site.keyring<Created>('keyring_createAccount', params, run.look);
    run.created.set(kind as Kind, account);
    await run.metamask.approveAll();
    const listed = await run.site.readKeyring<readonly Created[]>('keyring_listAccounts');
    expect(listed.map(({ address }) => address)).toContain(account.address);
  });
}
