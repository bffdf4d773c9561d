import { type Locator } from 'playwright-core';

import { type Run } from './run';

/** For a button that the page shows at once. */
const CLICK_MS = 60_000;

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
