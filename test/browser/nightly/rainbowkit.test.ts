import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';

import { listenOnLoopback } from '../../../src/devnet/loopback';
import { AGREEING } from '../../support/browser/agreeing';
import { devnetOf } from '../../support/browser/devnet-node';
import { Fixture } from '../../support/browser/fixture';
import { describeWithDevnet } from '../../support/browser/world';

const PEERS = join(__dirname, '../peers/node_modules');
const isInstalled = existsSync(join(PEERS, '@rainbow-me/rainbowkit'));
const skipped = isInstalled ? '' : ' (skipped: run scripts/install-browser-peers.sh)';

/**
 * Builds the page `rainbowkit.jsx` with the packages of RainbowKit and wagmi, and the provider of this repository.
 * In one file, esbuild would leave modules of theirs without their values.
 *
 * @returns Its files, by path.
 */
async function pageFiles(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [join(__dirname, '../page/rainbowkit.jsx')],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    nodePaths: [PEERS],
    alias: { 'keystead/provider': join(__dirname, '../../../src/provider/index.ts') },
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    logLevel: 'error',
    write: false,
    outdir: '/',
  });
  return new Map(outputFiles.map(({ path, text }) => [path, text]));
}

describeWithDevnet(`RainbowKit${skipped}`, () => {
  const withPeers = isInstalled ? it : it.skip;

  withPeers('lists Keystead, and connects to the network of the site, which is not set up before', async () => {
    const [fixture, files] = await Promise.all([Fixture.start(), pageFiles()]);
    const { snapId, chain } = await devnetOf(fixture.world);
    const wallet = `${snapId.replace('local:', '')}/wallet.js`;
    const devnet = JSON.stringify({ snapId, rpcUrl: chain.rpcUrl });
    const html = `<!doctype html><title>RainbowKit</title><main></main><script type="module" src="${wallet}"></script>
      <script>globalThis.devnet = ${devnet}</script><script type="module" src="rainbowkit.js"></script>`;
    const site = await listenOnLoopback(0, ({ url }, response) => {
      const script = files.get(url ?? '');
      const type = script === undefined ? 'text/html' : 'text/javascript';
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(script ?? html);
    });
    try {
      const { page, context } = await fixture.open({}, 'about:blank');
      await context.addInitScript({ content: AGREEING });
      await page.goto(site.url);
      await page.getByRole('button', { name: 'Connect Wallet' }).click();
      await page.getByTestId('rk-wallet-option-app.keystead').click();
      const output = page.locator('output');
      await output.filter({ hasText: /^connected / }).waitFor();
      expect(await output.innerText()).toMatch(/^connected 0x[0-9a-fA-F]{40} 31337$/u);
      // Its own button shows the account, not “Wrong network”.
      await page.getByTestId('rk-account-button').waitFor();
    } finally {
      await site.stop();
      await fixture.stop();
    }
  });
});
