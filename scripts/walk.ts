import { type Locator } from 'playwright-core';

import { startChromium } from '../test/support/chromium';
import { Companion } from '../test/support/browser/companion';
import { startDevnet } from './screenshots/devnet';

/**
 * Walks through fifteen tasks on the page, with the simulated wallet and a new devnet, and prints a table of the
 * clicks, the fields and the seconds that each takes: `tsx scripts/walk.ts`. What follows is passed to the devnet. The
 * seconds are those of the machine: nobody reads or thinks.
 */

const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const KEY = `0x${'7'.repeat(64)}` as const;

const COUNT = `window.walked = { clicks: 0, fields: 0 };
addEventListener('click', ({ isTrusted, detail }) => { if (isTrusted && detail > 0) window.walked.clicks += 1; }, true);
addEventListener('change', () => { window.walked.fields += 1; }, true);`;

type Counts = { readonly clicks: number; readonly fields: number };

const devnet = await startDevnet(process.argv.slice(2));
const browser = await startChromium();
try {
  const companion = await Companion.open(browser, 'about:blank');
  const { page } = companion;
  await page.addInitScript(COUNT);
  await page.goto(devnet.url);
  const counts = (): Promise<Counts> => page.evaluate('window.walked');
  const rows: string[] = [];
  const task = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const before = await counts();
    const began = Date.now();
    await work();
    const { clicks, fields } = await counts();
    rows.push(
      `| ${rows.length + 1} | ${name} | ${clicks - before.clicks} | ${fields - before.fields} | ${((Date.now() - began) / 1000).toFixed(1)} |`,
    );
    console.log(rows.at(-1));
  };
  const press = (name: string | RegExp, within?: Locator) => companion.press(name, within);
  const link = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
  const fill = (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value);
  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
  const home = () => companion.view('Home');

  await task('Install Keystead in the simulated wallet', () => companion.install());
  await task('Set up the network', () => companion.setUp());
  await task('Create the recommended account', async () => {
    await press('Create account');
    await companion.answer('Add the account', 'Add account');
    await page.locator('li[data-address]').waitFor();
  });
  const [safe = ''] = await companion.stored();
  await task('Create a standard account', async () => {
    await home();
    await page.getByRole('link', { name: /^Add/u }).first().click();
    await heading('Add an account');
    const form = page.getByRole('region', { name: 'New account' }).locator('form');
    await form.locator('input[name="kind"][value="eoa"]').check();
    await press('Create account', form);
    await companion.answer('Add the account', 'Add account');
    await page.waitForURL(/#\/account\//u);
  });
  const standard = (await companion.stored()).find((address) => address !== safe) ?? '';
  await task('Get test ETH', () => companion.askFaucet(standard));
  await task('Save a contact', async () => {
    await companion.view('Contacts');
    await fill('Name', 'Alice');
    await fill('Address', FRIEND);
    await press('Save contact');
    await companion.answer('Save a contact', 'Approve');
    await heading('Alice');
  });
  await task('Send to the contact, for the first time from this account', async () => {
    await companion.view('Send');
    await page.getByLabel('From').selectOption(standard);
    await fill('To', 'Alice');
    await fill('Amount (ETH)', '0.5');
    await press('Review');
    await press('Send');
    await companion.connect(standard);
    await companion.answer(FRIEND, 'Approve');
    await heading('Sent');
  });
  await task('Send again', async () => {
    await press('Send something else');
    await fill('To', 'Alice');
    await fill('Amount (ETH)', '0.1');
    await press('Review');
    await press('Send');
    await companion.answer(FRIEND, 'Approve');
    await heading('Sent');
  });
  await task('See what became of it, and its block', async () => {
    await companion.view('Activity');
    await page
      .getByRole('link', { name: /^View transaction/u })
      .first()
      .click();
    await page.getByText('Succeeded').waitFor();
  });
  await task('Show the address to receive', async () => {
    await home();
    await press('Receive with Keystead 1', companion.row(standard));
    await page.getByRole('img', { name: 'QR code of the address of Keystead 1' }).waitFor();
    await press('Close');
  });
  await task('Rename an account', async () => {
    await companion.row(standard).getByRole('link').first().click();
    await page.getByText('Rename Keystead 1').click();
    await fill('Name', 'Savings');
    await press('Rename');
    await page.getByRole('heading', { name: 'Savings', level: 1, exact: true }).waitFor();
  });
  await task('Sign a message', async () => {
    await link('Sign');
    await press('Sign');
    await companion.answer('Hello from Keystead', 'Approve');
    await page.getByText('Signed.', { exact: true }).waitFor();
  });
  await task('Import a private key', async () => {
    await home();
    await page.getByRole('link', { name: /^Add/u }).first().click();
    await heading('Add an account');
    await page.getByText('Import a private key').click();
    await press('Import');
    await page.getByRole('dialog').getByLabel('Private key').fill(KEY);
    await companion.answer('Import a private key', 'Approve');
    await companion.answer('Import an account', 'Approve');
    await companion.answer('Add the account', 'Add account');
    await page.waitForURL(/#\/account\//u);
  });
  await task('Save a backup as a file', async () => {
    await companion.view('Backup');
    await press('Make a backup file');
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('link', { name: 'Download the file' }).waitFor();
  });
  await task('Make a contact the guardian of the Safe', async () => {
    await home();
    await companion.row(safe).getByRole('link').first().click();
    await link('Guardians');
    await press('Alice');
    await fill('How many of them have to confirm', '1');
    await press('Turn on recovery');
    await companion.connect(safe);
    await companion.answer('act for your account', 'Approve');
    await page.getByRole('button', { name: 'Change guardians' }).waitFor();
  });
  if (companion.faults.length > 0) throw new Error(`The page has faults: ${companion.faults.join('; ')}`);
  console.log(['', '| | Task | Clicks | Fields | Seconds |', '|---|---|---|---|---|', ...rows].join('\n'));
} finally {
  await browser.close();
  await devnet.stop();
}
