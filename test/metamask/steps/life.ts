import { type Hex, recoverMessageAddress, stringToHex } from 'viem';

import { reply, serveJsonRpc } from '../../support/json-rpc-server';
import { CompanionPage } from '../../support/metamask/companion-page';
import { type Created, KINDS, type Run } from '../../support/metamask/run';

const MESSAGE = 'Hello again, MetaMask';

/** A network of the tests' own. */
const OTHER_CHAIN = 'eip155:31338';

/** A node of that network, which has one empty block. */
const serveNetwork = () =>
  serveJsonRpc(({ id, method }, response) => {
    const block = {
      number: '0x1',
      hash: `0x${'1'.repeat(64)}`,
      timestamp: '0x1',
      gasLimit: '0x1c9c380',
      gasUsed: '0x0',
    };
    const results: Readonly<Record<string, unknown>> = {
      eth_chainId: '0x7a6a',
      net_version: '31338',
      eth_blockNumber: '0x1',
      eth_getBlockByNumber: { ...block, transactions: [] },
      eth_getCode: '0x',
      eth_getBalance: '0x0',
    };
    if (Object.hasOwn(results, method)) reply(response, { id, result: results[method] });
    else reply(response, { id, error: { code: -32601, message: 'not supported' } });
  });

/** What happens to the wallet as a whole: it is locked, its worker ends, the browser is closed, Keystead is removed. */
export function lifeSteps(run: Run): void {
  const page = new CompanionPage(run);
  const listed = () => run.site.keyring<readonly Created[]>('keyring_listAccounts');
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

  it('says on the page that MetaMask keeps the old URL of a network’s node, and how to choose the new one', async () => {
    const servers = [await serveNetwork(), await serveNetwork()] as const;
    const set = (rpcUrl: string) => run.site.snap('keystead_setChain', { chainId: OTHER_CHAIN, name: 'Moved', rpcUrl });
    await set(servers[0].url);
    await page.addToWallet('Moved', /^Added Moved to the wallet/u);
    await set(servers[1].url);
    await servers[0].stop();
    await page.addToWallet('Moved', new RegExp(`choose ${new URL(servers[1].url).host} as the default RPC URL`, 'u'));
    await servers[1].stop();
    await run.site.snap('keystead_removeChain', { chainId: OTHER_CHAIN });
  });

  it('recovers the same addresses after it was removed and installed again', async () => {
    const before = await addresses();
    expect(before).toHaveLength(Object.keys(KINDS).length);
    const { snapId } = run.site.devnet;
    await run.metamask.removeSnap(
      'Keystead',
      async () => !(snapId in (await run.site.read<object>('wallet_getSnaps'))),
    );
    await page.seesRemoval();
    await page.install();
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
