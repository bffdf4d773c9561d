import { type Locator } from 'playwright-core';

import { type Run } from './run';

/** For a button that the page shows at once, on a busy machine. */
const CLICK_MS = 900_000;

/** The companion page in MetaMask's browser, used as a person uses it. Everything that MetaMask asks is approved. */
export class CompanionPage {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Opens the page anew, and connects it, so that MetaMask installs Keystead. */
  async install(): Promise<void> {
    await this.#page.reload();
    await this.#during(this.#button(/^Connect MetaMask/u), this.#page.getByRole('navigation', { name: 'Views' }));
  }

  /** Has the page connect while MetaMask removes Keystead. It says so, looks again, and connects by itself. */
  async connectDuringRemoval(): Promise<void> {
    await this.#button(/^Connect MetaMask/u).click({ timeout: CLICK_MS });
    await this.#page.getByText(/MetaMask is removing Keystead|If you are removing Keystead there/u).waitFor();
    await this.#run.metamask.approve(this.#page.getByRole('navigation', { name: 'Views' }).waitFor(), this.#run.look);
  }

  /** Shows the first screen, as to somebody who has used no wallet here. */
  async forget(): Promise<void> {
    await this.#page.evaluate("localStorage.removeItem('keystead.last-wallet')");
    await this.#page.reload();
    await this.#button(/^Connect MetaMask/u).waitFor();
  }

  /** Adds a network to MetaMask. @returns What the page then says of it. */
  async addToWallet(network: string): Promise<string> {
    await this.#page.evaluate("location.hash = '#/settings'");
    await this.#page.reload();
    const said = this.#page
      .getByRole('status')
      .filter({ hasText: new RegExp(`(?:Added|has) ${network}`, 'u') })
      .first();
    await this.#during(this.#button(`Add to the wallet (${network})`), said);
    return said.innerText();
  }

  /** Has Keystead add the devnet. */
  async setUp(): Promise<void> {
    const todo = this.#heading('Set up the development network');
    await this.#during(this.#button('Set up'), todo, 'hidden');
  }

  /** Has Keystead find the accounts that were used, and adds all of them. */
  async recover(): Promise<void> {
    await this.#page.evaluate("location.hash = '#/add-account'");
    await this.#button('Find used accounts').click();
    const add = this.#button('Add selected accounts');
    await add.waitFor();
    for (const box of await this.#page.locator('input[name="account"]').all()) await box.check();
    await this.#during(add, this.#page.getByText(/^Added: /u));
  }

  get #page() {
    return this.#run.site.page;
  }

  #button(name: string | RegExp): Locator {
    return this.#page.getByRole('button', { name });
  }

  #heading(name: string): Locator {
    return this.#page.getByRole('heading', { name });
  }

  /** Clicks, and approves until the page shows something, or no longer does. */
  async #during(button: Locator, shown: Locator, state: 'visible' | 'hidden' = 'visible'): Promise<void> {
    const done = button.click({ timeout: CLICK_MS }).then(() => shown.waitFor({ state }));
    try {
      await this.#run.metamask.approve(done, this.#run.look);
    } catch (cause) {
      const text = await this.#page.locator('body').innerText();
      throw new Error(`The page does not go on. It shows:\n${text}\n\n${String(cause)}`, { cause });
    }
  }
}
