import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core';
import { type Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

export const KINDS = ['eoa', '0.6', '0.7', '0.8', '0.9', 'safe-0.7'] as const;
export type Kind = (typeof KINDS)[number];

/** Whether a request left this machine. None may. */
const isExternal = (url: string): boolean =>
  !/^(?:https?:\/\/(?:localhost|127\.0\.0\.1)[:/]|data:|blob:|about:)/u.test(url);

/** A wallet's answer to a page: a result, or the error's code and message. */
export type Answer = { readonly result?: unknown; readonly code?: number; readonly message?: string };

/** The views that are pages of a section. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  Settings: ['Backup', 'Contacts'],
  Developer: ['Sign', 'Explorer', 'Files', 'Uncles'],
};

const OTHER_KINDS: readonly Kind[] = ['0.6', '0.7', '0.8', '0.9'];

const SIMULATED = 'localhost.keystead.simulated-wallet';

/** The companion page in its own browser profile, used as a person uses it. */
export class Companion {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Uncaught errors of the page, CSP violations and requests to other machines. */
  readonly faults: string[] = [];

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
    page.on('pageerror', ({ message }) => this.faults.push(message));
    page.on('request', (request) => {
      if (isExternal(request.url())) this.faults.push(`a request to ${request.url()}`);
    });
    page.on('console', (message) => {
      if (/Content Security Policy/u.test(message.text())) this.faults.push(message.text());
    });
  }

  static async open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Companion> {
    const context = await browser.newContext(options);
    const companion = new Companion(context, await context.newPage());
    companion.page.setDefaultTimeout(60_000);
    await companion.page.goto(url);
    return companion;
  }

  /** Opens the page with the snap installed and the network set up. */
  static async ready(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Companion> {
    const companion = await Companion.open(browser, url, options);
    await companion.install();
    await companion.setUp();
    return companion;
  }

  /** Opens the page in another tab of the same browser profile. */
  async anotherTab(): Promise<Companion> {
    const other = new Companion(this.context, await this.context.newPage());
    other.page.setDefaultTimeout(60_000);
    await other.page.goto(this.page.url());
    await other.page.getByRole('navigation', { name: 'Views' }).waitFor();
    return other;
  }

  close(): Promise<void> {
    return this.context.close();
  }

  /** Clicks a button by its exact name. */
  async press(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await within.getByRole('button', { name, exact: true }).click();
  }

  /** Presses a button of the dialog that shows the text, and waits until it closes. */
  async answer(text: string | RegExp, button: string): Promise<void> {
    const dialog = this.page.getByRole('dialog').filter({ hasText: text });
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  async install(): Promise<void> {
    await this.press('Use the simulated wallet');
    await this.answer('Permissions', 'Install');
    await this.page.getByRole('heading', { name: 'Welcome to Keystead', level: 1 }).waitFor();
  }

  async setUp(): Promise<void> {
    await this.press('Set up');
    await this.answer('Add network 31337', 'Approve');
    await this.page.getByRole('heading', { name: 'Set up the development network' }).waitFor({ state: 'hidden' });
  }

  /** Opens Backup, and has the snap use the devnet's storage. */
  async setUpStorage(): Promise<void> {
    await this.view('Backup');
    await this.press('Use the development storage');
    await this.answer('Add a storage service', 'Approve');
    await this.page.getByRole('button', { name: 'Back up now' }).waitFor();
  }

  /** Adds the devnet to the wallet too. */
  async addToWallet(): Promise<void> {
    await this.view('Settings');
    await this.press('Add to the wallet (Keystead devnet)');
    await this.answer('Add a network', 'Add network');
    await this.page.getByText('Added Keystead devnet to the wallet.').waitFor();
  }

  /** @returns The new account's address. */
  async createAccount(kind: Kind): Promise<string> {
    await this.go('add-account', 'Add an account');
    const before = await this.stored();
    const form = this.page.getByRole('region', { name: 'New account' }).locator('form');
    if (OTHER_KINDS.includes(kind)) await this.#openOtherKinds(form);
    await form.locator(`input[name="kind"][value="${kind}"]`).check();
    await this.press('Create account', form);
    await this.answer('Add the account', 'Add account');
    // What is new opens.
    await this.page.waitForURL(/#\/account\//u);
    const [created] = (await this.stored()).filter((address) => !before.includes(address));
    return created!;
  }

  async #openOtherKinds(form: Locator): Promise<void> {
    const others = form.locator('details');
    if ((await others.getAttribute('open')) === null) await others.getByText('Other kinds').click();
  }

  /** Imports a private key, and waits for its account. @returns The account's address. */
  async importKey(privateKey: Hex): Promise<string> {
    await this.go('add-account', 'Add an account');
    await this.page.getByText('Import a private key').click();
    const form = this.page
      .locator('form')
      .filter({ has: this.page.getByRole('button', { name: 'Import', exact: true }) });
    await this.press('Import', form);
    const dialog = this.page.getByRole('dialog');
    await dialog.getByLabel('Private key').fill(privateKey);
    // What the dialog shows is what is approved.
    await dialog.getByText('Address of the key').waitFor();
    await this.answer('Import a private key', 'Approve');
    await this.answer('Import an account', 'Approve');
    await this.answer('Add the account', 'Add account');
    await this.page.waitForURL(/#\/account\//u);
    return privateKeyToAddress(privateKey);
  }

  async askFaucet(address: string): Promise<void> {
    await this.view('Home');
    const row = this.row(address);
    await row.getByRole('button', { name: /^Get test ETH/u }).click();
    await row.getByText('The faucet sent 10 test ETH.').waitFor();
  }

  /** @returns The account's row on Home. */
  row(address: string): Locator {
    return this.page.locator(`li[data-address="${address}"]`);
  }

  /** Opens the account's own page. */
  async account(address: string): Promise<void> {
    await this.go(`account/${address}`);
    await this.page.getByRole('heading', { name: 'Manage' }).waitFor();
  }

  /** @returns The addresses of the accounts, as Home lists them. */
  async addresses(): Promise<string[]> {
    await this.view('Home');
    const rows = await this.page.locator('li[data-address]').all();
    return Promise.all(rows.map(async (row) => (await row.getAttribute('data-address'))!));
  }

  /** @returns The addresses of the accounts in the snap. */
  async stored(): Promise<string[]> {
    const { snapId } = (await (await fetch(new URL('devnet.json', this.page.url()))).json()) as { snapId: string };
    const request = { method: 'keyring_listAccounts' };
    const { result } = await this.ask('wallet_invokeKeyring', { snapId, request });
    return (result as { address: string }[]).map(({ address }) => address);
  }

  /** Opens a view by its address, as a bookmark does. @param title - Its main heading, if it has one of its own. */
  async go(hash: string, title?: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(`#/${hash}`)}`);
    if (title !== undefined) await this.page.getByRole('heading', { name: title, level: 1, exact: true }).waitFor();
  }

  /** Opens another view with the links of the page. */
  async view(name: string): Promise<void> {
    const [section] = Object.entries(PAGES).find(([, pages]) => pages.includes(name)) ?? [];
    const link = (label: string) => this.page.getByRole('navigation').getByRole('link', { name: label, exact: true });
    if (section !== undefined) await link(section).click();
    await link(name).click();
    // Without an account, Home welcomes.
    const title = name === 'Home' ? /^(?:Home|Welcome to Keystead)$/u : name;
    await this.page.getByRole('heading', { name: title, level: 1, exact: true }).waitFor();
  }

  /** @returns The fields of one of the calls on Send. */
  call(index: number): Locator {
    return this.page.locator('fieldset').nth(index);
  }

  /** Selects exactly these accounts in the snap's dialog. */
  async connect(...addresses: string[]): Promise<void> {
    const dialog = this.page.getByRole('dialog').filter({ hasText: /Connect (?:a site|this Keystead page)/u });
    await dialog.waitFor();
    const boxes = await dialog.getByRole('checkbox').all();
    // The last box offers a new account, unless the site named one. The addresses after those of the accounts repeat
    // what is chosen.
    const offersNew = (await dialog.getByRole('checkbox', { name: 'Create an account' }).count()) > 0;
    const create = offersNew ? boxes.pop() : undefined;
    const shown = await dialog.locator('.row .address').allInnerTexts();
    for (const [index, box] of boxes.entries()) await box.setChecked(addresses.includes(shown[index]!));
    await create?.setChecked(false);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  /** @returns The recovery phrase, which the wallet shows on request. */
  async phrase(): Promise<string> {
    await this.press('Wallet');
    await this.press('Show recovery phrase');
    const phrase = await this.page.getByLabel('Recovery phrase').innerText();
    await this.press('Close');
    return phrase;
  }

  /** Wipes the wallet and restores it from a phrase. */
  async recover(phrase: string): Promise<void> {
    await this.press('Wallet');
    await this.page.getByLabel('Recover from a phrase').fill(phrase);
    await this.press('Wipe and recover');
    await this.answer('Wipe the simulated wallet?', 'Wipe');
    await this.page.getByRole('button', { name: 'Use the simulated wallet' }).waitFor();
  }

  /** Calls the simulated wallet directly, as any page that finds it can (EIP-6963, EIP-1193). */
  ask(method: string, params: unknown = []): Promise<Answer> {
    return this.page.evaluate(`new Promise((resolve) => {
      const listen = ({ detail: { info, provider } }) => {
        if (info.rdns !== ${JSON.stringify(SIMULATED)}) return;
        window.removeEventListener('eip6963:announceProvider', listen);
        provider.request(${JSON.stringify({ method, params })}).then(
          (result) => resolve({ result }),
          ({ code, message }) => resolve({ code, message }),
        );
      };
      window.addEventListener('eip6963:announceProvider', listen);
      window.dispatchEvent(new Event('eip6963:requestProvider'));
    })`);
  }

  /** Confirms or rejects in the wallet's own dialog that shows the text. */
  async answerWallet(title: string, text: string, button: string): Promise<void> {
    await this.answer(new RegExp(`${title}.*Site.*${text}`, 'su'), button);
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.getByRole('navigation', { name: 'Views' }).waitFor();
  }
}
