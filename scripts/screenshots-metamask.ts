import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Page } from 'playwright-core';

import { MetaMask } from '../test/metamask/support/metamask';
import { WalletSite } from '../test/metamask/support/wallet-site';
import { devnetOf, startDevnet } from './screenshots/devnet';
import { PICTURES } from './screenshots/picture';

/**
 * Takes the pictures of MetaMask itself in the docs: `METAMASK_DIR=… npm run screenshots:metamask`. What follows `--`, such
 * as `--port-base 9000`, is passed to the devnet.
 */

const QUALITY = 70;
const FOLDER = join(PICTURES, 'metamask');

const extension = process.env['METAMASK_DIR'];
if (extension === undefined)
  throw new Error('Set METAMASK_DIR to the folder of an unpacked MetaMask. scripts/install-flask.sh downloads one.');

async function take(page: Page, name: string): Promise<void> {
  console.log(name);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await session.detach();
  writeFileSync(join(FOLDER, `${name}.webp`), Buffer.from(data, 'base64'));
}

/** Takes a picture of what the wallet asks if it shows a text. */
const taking =
  (name: string, text: string) =>
  async (page: Page): Promise<void> => {
    if (await page.getByText(text).first().isVisible()) await take(page, name);
  };

mkdirSync(FOLDER, { recursive: true });
const profile = mkdtempSync(join(tmpdir(), 'keystead-metamask-'));
const devnet = await startDevnet(process.argv.slice(2));
const metamask = await MetaMask.open(extension, profile);
try {
  await metamask.start();
  const site = await WalletSite.open(metamask, devnet.url, await devnetOf(devnet.url));
  const { snapId, chain, recipients = [] } = site.devnet;
  await site.ask('wallet_requestSnaps', { [snapId]: {} }, taking('install', 'Add to MetaMask'));
  const { chainId, name, rpcUrl, bundlerUrl, paymasterUrl } = chain;
  await site.snap('keystead_setChain', { chainId, name, rpcUrl, bundlerUrl, paymasterUrl });
  const options = { type: 'eip155:erc4337', kind: 'safe-0.7', chainId };
  const { address } = await site.keyring<{ address: string }>('keyring_createAccount', { options });
  const caveats = [{ type: 'restrictReturnedAccounts', value: [address] }];
  await site.snap('wallet_requestPermissions', [{ eth_accounts: { caveats } }], taking('connect', 'Connect a site'));
  const calls = recipients.map(({ address: to }) => ({ to, value: '0x0' }));
  const batch = { version: '2.0.0', from: address, atomicRequired: true, calls };
  await site.snap('wallet_sendCalls', [batch], taking('batch', 'Network fee'));
} finally {
  await metamask.close();
  await devnet.stop();
  rmSync(profile, { recursive: true, force: true });
}
