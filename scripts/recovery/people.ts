import { createTestClient, type Hex, http, parseEther, publicActions, walletActions } from 'viem';
import { foundry } from 'viem/chains';

import { STAND_IN_PERIOD } from '../../src/devnet/chain/state';
import { portsFrom } from '../../src/devnet/ports';
import { type Companion } from '../../test/support/browser/companion';

/** Until the devnet includes an operation. In milliseconds. */
export const INCLUSION = { timeout: 120_000 };

/** @returns A client of the devnet's chain that can change what it likes. @param url - Of the Keystead page. */
export function chainOf(url: string) {
  const port = Number(new URL(url).port);
  const { chain } = portsFrom(port === portsFrom(undefined).companion ? undefined : port);
  const transport = http(`http://127.0.0.1:${chain}`);
  return createTestClient({ mode: 'anvil', chain: foundry, transport }).extend(publicActions).extend(walletActions);
}

/** Lets the delay of a recovery pass on the devnet's chain. */
export async function passDelay(url: string): Promise<void> {
  const chain = chainOf(url);
  await chain.increaseTime({ seconds: Number(STAND_IN_PERIOD) });
  await chain.mine({ blocks: 1 });
}

/** Gives an account ETH for network fees. */
export const pay = (url: string, address: Hex): Promise<void> =>
  chainOf(url).setBalance({ address, value: parseEther('10') });

/** Sends a transaction as an account whose key nobody here has. @throws If it was reverted. */
export async function sendAs(url: string, from: Hex, to: Hex, data: Hex): Promise<void> {
  const chain = chainOf(url);
  await chain.setBalance({ address: from, value: parseEther('10') });
  await chain.impersonateAccount({ address: from });
  const hash = await chain.sendTransaction({ account: from, to, data });
  await chain.stopImpersonatingAccount({ address: from });
  const { status } = await chain.waitForTransactionReceipt({ hash });
  if (status !== 'success') throw new Error(`The transaction of ${from} was reverted.`);
}

/** Opens a link that somebody sent. */
export async function follow({ page }: Companion, link: string, title: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('heading', { name: title, level: 1, exact: true }).waitFor();
}

/** Follows a link of the page by its text. */
export const link = ({ page }: Companion, name: string | RegExp): Promise<void> =>
  page
    .getByRole('link', { name, exact: typeof name === 'string' })
    .first()
    .click();

/** @returns What the page says in its field for a value to copy. */
export const copyable = ({ page }: Companion, label: string): Promise<string> =>
  page.getByLabel(label, { exact: true }).innerText();

/** Saves a contact, from any view of the connected page. */
export async function saveContact(companion: Companion, name: string, address: string): Promise<void> {
  const { page } = companion;
  await companion.view('Contacts');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Address', { exact: true }).fill(address);
  await companion.press('Save contact');
  await companion.answer('Save a contact', 'Approve');
  await page.getByText(`Saved ${name}.`).waitFor();
}

/** Opens the guardians of a Safe, as its page links to them. */
export async function openGuardians(companion: Companion, address: string): Promise<void> {
  await companion.view('Home');
  await companion.row(address).getByRole('link').first().click();
  await link(companion, 'Guardians');
  await companion.page.getByRole('heading', { name: /^Guardians on / }).waitFor();
}

/** Connects the page to an account, if the wallet asks before it asks for the next thing. */
export async function connectIfAsked(companion: Companion, address: string): Promise<void> {
  const dialog = companion.page.getByRole('dialog');
  await dialog.first().waitFor();
  if ((await dialog.filter({ hasText: 'Connect this Keystead page' }).count()) > 0) await companion.connect(address);
}

/** Connects a wallet that has no network yet to the link that is open. */
export async function connectEmpty(companion: Companion, address: string): Promise<void> {
  await companion.page.getByRole('button', { name: /^Connect / }).click();
  await companion.answerWallet('Connect accounts', address, 'Connect');
  await companion.answer('Add a network', 'Add network');
}

/** Signs a practice run. @returns The link to send back. */
export async function practise(guardian: Companion): Promise<string> {
  await guardian.press('Sign the practice run');
  await guardian.answerWallet('Sign a message', 'confirms no recovery and moves nothing', 'Confirm');
  return copyable(guardian, 'Link to send back');
}

async function approve(companion: Companion, text: string): Promise<void> {
  await companion.answer('Send a transaction', 'Confirm');
  await companion.page
    .getByRole('dialog')
    .filter({ hasText: text })
    .getByRole('button', { name: 'Approve', exact: true })
    .click();
}

/** Confirms a recovery as a guardian. @param done - What the page says then. */
export async function confirm(guardian: Companion, done: string): Promise<void> {
  await guardian.press('Confirm as guardian');
  await approve(guardian, 'helps to take');
  await guardian.page.getByText(done, { exact: true }).waitFor(INCLUSION);
}

/** Finishes a recovery whose delay is over. */
export async function finish(companion: Companion): Promise<void> {
  await companion.press('Finish the recovery');
  await approve(companion, 'replaces the owners');
  await companion.page.getByText('Finished: the account has new owners.').waitFor(INCLUSION);
}

/** Connects a new wallet to the page of a lost account, with the network that the page offers. */
export async function connectNew(heir: Companion): Promise<void> {
  await heir.press('Use the simulated wallet');
  await heir.answer('Permissions', 'Install');
  await heir.press('Set up');
  await heir.answer('Add network 31337', 'Approve');
}

/** Makes the key that becomes the new owner. */
export async function makeKey(heir: Companion): Promise<void> {
  await heir.press('Make the new key');
  await heir.answer('Add the account', 'Add account');
}

/** Makes the link for guardians. @returns The link. */
export async function askGuardians(heir: Companion, sender: string): Promise<string> {
  await heir.page.getByLabel('Your name (optional)').fill(sender);
  await heir.press('Make the link for guardians');
  return copyable(heir, 'Link for your guardians');
}

/** Adds a recovered account from the link to its recovery. */
export async function addRecovered(heir: Companion, safe: string): Promise<void> {
  await heir.press('Add the account to this wallet');
  await heir.answer('Compare the whole address', 'Approve');
  await heir.answer(safe, 'Add account');
  await heir.page.getByText('It is in this wallet as').waitFor();
}
