import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Box, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';
import { type Json } from '@metamask/utils';
import { type Page } from 'playwright-core';
import { numberToHex, stringToHex } from 'viem';

import { DEVNET_CHAIN } from '../src/devnet/chain/definition';
import { MetaMask, SNAP_SCREEN } from '../test/support/metamask/metamask';
import { serveScreensSnap } from '../test/support/metamask/screens-snap';
import { WalletSite } from '../test/support/metamask/wallet-site';
import { DRAWN_BADLY } from './screenshots/drawn-badly';
import { devnetOf, startDevnet } from './screenshots/devnet';
import { PICTURES } from './screenshots/picture';

/**
 * Takes the pictures of MetaMask itself in the docs: `METAMASK_DIR=… npm run screenshots:metamask`. What follows `--`,
 * such as `--port-base 9000`, is passed to the devnet.
 */

const QUALITY = 70;
/** MetaMask's popup at its narrowest, low enough for the screens that are drawn badly. */
const POPUP = { width: 360, height: 480 };
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

/** Takes pictures of screens that MetaMask draws badly, and of the same as Keystead puts them, in MetaMask's popup. */
async function takeDrawnBadly(site: WalletSite): Promise<void> {
  const { snapId, stop } = await serveScreensSnap();
  const ask = (method: string, content: JSXElement): Promise<unknown> =>
    site.read('wallet_invokeSnap', {
      snapId,
      request: { method, params: JSON.parse(JSON.stringify(content)) as Json },
    });
  await site.ask('wallet_requestSnaps', { [snapId]: {} });
  // Answered when the dialog is closed, or not at all if the browser is closed before.
  ask('open', <Text>Screens</Text>).catch(() => undefined);
  const dialog = await site.metamask.openDialog();
  await dialog.setViewportSize(POPUP);
  for (const { name, before, now } of DRAWN_BADLY)
    for (const [when, content] of Object.entries({ before, now })) {
      const mark = `${name} ${when}`;
      await ask('show', <Box>{[content, <Text>{mark}</Text>]}</Box>);
      const shown = dialog.locator(`.${SNAP_SCREEN}`).filter({ visible: true }).getByText(mark, { exact: true });
      await shown.first().waitFor();
      await ask('show', content);
      await shown.first().waitFor({ state: 'detached' });
      await take(dialog, `drawn-${name}-${when}`);
    }
  await dialog.close();
  await stop();
}

/** Takes a picture of what the wallet asks when it shows a text for the first time. */
const taking = (name: string, text: string) => {
  let isTaken = false;
  return async (page: Page): Promise<void> => {
    const place = page.getByText(text).first();
    if (isTaken || !(await place.isVisible())) return;
    isTaken = true;
    await place.scrollIntoViewIfNeeded();
    await take(page, name);
  };
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
  const create = async (options: object): Promise<string> =>
    (await site.keyring<{ address: string }>('keyring_createAccount', { options })).address;
  const safe = await create({ type: 'eip155:erc4337', kind: 'safe-0.7', chainId });
  await site.connect(safe, 'snap', taking('connect', 'Connect a site'));
  const calls = recipients.map(({ address: to }) => ({ to, value: '0x0' }));
  const batch = { version: '2.0.0', from: safe, chainId: numberToHex(DEVNET_CHAIN.id), atomicRequired: true, calls };
  await site.snap('wallet_sendCalls', [batch], taking('batch', 'Network fee'));

  const standard = await create({ type: 'eip155:eoa' });
  await site.connect(standard, 'ask');
  const signIn = 'Sign in to the example shop. This costs nothing.';
  await site.ask('personal_sign', [stringToHex(signIn), standard], taking('insight', 'Sign a message'));
  await take(await metamask.openHome('Keystead'), 'home');
  await takeDrawnBadly(site);
} finally {
  await metamask.close();
  await devnet.stop();
  rmSync(profile, { recursive: true, force: true });
}
