import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { Companion } from '../test/browser/support/companion';
import { startChromium } from '../test/helpers/chromium';

/** Takes the screenshots of the README from the real page on a real devnet: `npm run screenshots`. */
const IMAGES = join(import.meta.dirname, '../images');
const BASE = 28_900;

/** The companion page as served by `npm start`. */
async function startDevnet(): Promise<{ url: string; stop: () => Promise<void> }> {
  const parameters = ['--import', 'tsx', 'src/devnet/start.ts', '--port-base', String(BASE)];
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [, found] = /^Companion page {2}(http:\S+)$/mu.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => {
      reject(new Error(`npm start exited before the companion page was ready.\n${output}`));
    });
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

const devnet = await startDevnet();
const browser = await startChromium();
try {
  const companion = await Companion.ready(browser, devnet.url, {
    viewport: { width: 1000, height: 700 },
    colorScheme: process.argv.includes('--dark') ? 'dark' : 'light',
  });
  const { page } = companion;
  const take = (name: string) => page.screenshot({ path: join(IMAGES, `${name}.png`), animations: 'disabled' });
  for (const kind of ['eoa', '0.7', '0.8'] as const) await companion.askFaucet(await companion.createAccount(kind));
  await companion.reload();
  await companion.view('Home');
  await page.getByText('10 ETH', { exact: true }).nth(2).waitFor();
  await take('accounts');
  const [, smart] = await companion.addresses();
  if (smart === undefined) throw new Error('The accounts are not shown.');
  await companion.view('Send');
  await page.getByLabel('From').selectOption(smart);
  await companion.press('Add a call');
  const recipients = ['0x00000000000000000000000000000000000000A1', '0x00000000000000000000000000000000000000B2'];
  for (const [index, recipient] of recipients.entries()) {
    const call = companion.call(index);
    await call.getByLabel('To', { exact: true }).fill(recipient);
    await call.getByLabel('Amount (ETH)').fill('0.5');
  }
  await companion.press('Review');
  await companion.press('Send 2 calls');
  await companion.connect(smart);
  await page
    .getByRole('dialog')
    .filter({ hasText: recipients[0] ?? '' })
    .waitFor();
  await take('confirm');
} finally {
  await browser.close();
  await devnet.stop();
}
