import { join } from 'node:path';

import { build } from 'esbuild';
import { type Hex, numberToHex, recoverMessageAddress, stringToHex } from 'viem';

import { DEVNET_CHAIN } from '../../../src/devnet/chain/definition';
import { type Run } from '../../support/metamask/run';

const CHAIN_ID = numberToHex(DEVNET_CHAIN.id);
const MESSAGE = 'Hello, MetaMask';
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
/** Answered by the test. */
const PAGE = 'http://localhost/';
/** EIP-7702: code that only names the contract whose code runs. */
const DELEGATED = /^0xef0100[0-9a-f]{40}$/u;

async function providerScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(__dirname, '../../../src/provider/index.ts')],
    bundle: true,
    format: 'iife',
    globalName: 'Keystead',
    write: false,
  });
  return outputFiles[0]!.text;
}

/** Sites reach Keystead itself: by `wallet_invokeSnap`, or by its provider, which does so for them. */
export function providerSteps(run: Run): void {
  const batchOf = async (from: Hex): Promise<{ status: number }> => {
    const calls = [{ to: RECIPIENT }, { to: run.address('a SimpleAccount 0.7') }];
    const batch = { version: '2.0.0', from, chainId: CHAIN_ID, atomicRequired: true, calls };
    const { id } = await run.site.snap<{ id: string }>('wallet_sendCalls', [batch], run.look);
    const status = () => run.site.readSnap<{ status: number }>('wallet_getCallsStatus', [id]);
    let answer = await status();
    while (answer.status === 100) answer = await status();
    return answer;
  };
  const codeOf = async (address: Hex) => (await run.node).getCode({ address });

  describe('through Keystead’s own methods', () => {
    it('connects a site to the account it asks for', async () => {
      const address = run.address('a standard account');
      await run.site.connect(address, 'snap', run.look);
      const connected = await run.site.readSnap<readonly string[]>('eth_accounts');
      expect(connected.map((each) => each.toLowerCase())).toContain(address.toLowerCase());
    });

    it('signs a message', async () => {
      const account = run.address('a standard account');
      const signature = await run.site.snap<Hex>('personal_sign', [stringToHex(MESSAGE), account], run.look);
      expect(await recoverMessageAddress({ message: MESSAGE, signature })).toBe(account);
    });

    it('signs nothing that is rejected', async () => {
      const params = [stringToHex(MESSAGE), run.address('a standard account')];
      const error = await run.site.askAndReject('wallet_invokeSnap', run.site.invocation('personal_sign', params));
      expect(error).toMatchObject({ code: 4001 });
    });

    it('sends a sponsored batch from a Safe without ether, to inclusion', async () => {
      const safe = run.address('a Safe');
      await run.site.connect(safe, 'snap', run.look);
      expect(await batchOf(safe)).toMatchObject({ status: 200, atomic: true });
      expect(await codeOf(safe)).toMatch(/^0x[0-9a-f]{2,}$/u);
    });

    it('upgrades a standard account for a batch (EIP-7702), and takes that back', async () => {
      const account = run.address('a standard account');
      await run.site.connect(account, 'snap', run.look);
      await run.site.askFaucet(account);
      expect(await batchOf(account)).toMatchObject({ status: 200, atomic: true });
      expect(await codeOf(account)).toMatch(DELEGATED);

      const { chainId } = run.site.devnet.chain;
      const params = { chainId, address: account };
      const hash = await run.site.snap<Hex>('keystead_takeBackDelegation', params, run.look);
      await (await run.node).waitForTransactionReceipt({ hash });
      expect(await codeOf(account)).toBeUndefined();
    });
  });

  it('signs through its provider, with the account that the dialog recommends', async () => {
    const page = await run.metamask.context.newPage();
    await page.route(PAGE, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>A site</title>' }),
    );
    await page.goto(PAGE);
    await page.addScriptTag({ content: await providerScript() });
    const { snapId } = run.site.devnet;
    await page.evaluate(
      `globalThis.keystead = Keystead.createKeysteadProvider(${JSON.stringify({ snapId, chainId: DEVNET_CHAIN.id })})`,
    );
    const ask = <T>(method: string, params: unknown[] = []): Promise<T> =>
      run.metamask.approve(page.evaluate<T>(`keystead.request(${JSON.stringify({ method, params })})`), run.look);
    const [account] = await ask<Hex[]>('eth_requestAccounts');
    const signature = await ask<Hex>('personal_sign', [stringToHex(MESSAGE), account]);
    expect((await recoverMessageAddress({ message: MESSAGE, signature })).toLowerCase()).toBe(account!.toLowerCase());
    await page.close();
  });
}
