import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';

/** Everybody knows this phrase. Only what is worth nothing may belong to it. */
const PHRASE = 'test test test test test test test test test test test junk';
const PASSWORD = 'keystead-test-only';

/** How long a step of the wallet may take, in milliseconds. */
const STEP = 300_000;
/** How long an element may stay after it was used, before it is used again. */
const AGAIN = 10_000;

/** Something that a page of the wallet may show, and how a person gets past it. */
type Step = { readonly sign: string; readonly act: (page: Page, element: Locator) => Promise<void> };

const testId = (id: string): string => `[data-testid="${id}"]`;

/** Enter works where an overlay of the wallet ("cannot connect") swallows clicks. */
const pressed = async (_page: Page, element: Locator): Promise<void> => element.press('Enter');
const checked = async (_page: Page, element: Locator): Promise<void> => element.press('Space');

async function typePhrase(page: Page): Promise<void> {
  const [first, ...others] = PHRASE.split(' ');
  const last = others.length - 1;
  const note = page.locator(testId('srp-input-import__srp-note'));
  // Newer wallets begin with one field, which becomes one for each word as a space ends the one before.
  if (await note.isVisible()) await note.pressSequentially(`${first} `);
  else await page.locator(testId('import-srp__srp-word-0')).fill(first!);
  for (const [index, word] of others.entries())
    await page.locator(testId(`import-srp__srp-word-${index + 1}`)).pressSequentially(index < last ? `${word} ` : word);
  await page.locator(testId('import-srp-confirm')).press('Enter');
}

async function choosePassword(page: Page): Promise<void> {
  for (const field of await page.locator('input[type="password"]').all()) await field.fill(PASSWORD);
  await page.locator(testId('create-password-terms')).first().press('Space');
  const submit = page.locator(`${testId('create-password-import')}, ${testId('create-password-submit')}`);
  await submit.first().press('Enter');
}

async function typePassword(page: Page, field: Locator): Promise<void> {
  await field.fill(PASSWORD);
  await page.locator(testId('unlock-submit')).press('Enter');
}

async function acceptTerms(page: Page, box: Locator): Promise<void> {
  if (!(await box.isChecked())) await box.press('Space');
  await page.locator(testId('onboarding-import-wallet')).press('Enter');
}

const scrolled = async (page: Page, element: Locator): Promise<void> => {
  await element.hover();
  await page.mouse.wheel(0, 10_000);
};

const UNLOCK: Step = { sign: testId('unlock-password'), act: typePassword };

/** The wallet's versions differ in which steps there are and in their order. */
const ONBOARDING: readonly Step[] = [
  UNLOCK,
  // On a busy machine, the wallet gives up loading a part of itself after two minutes.
  { sign: testId('error-page-try-again-button'), act: pressed },
  { sign: `${testId('experimental-area')} button`, act: pressed },
  { sign: testId('onboarding-terms-checkbox'), act: acceptTerms },
  { sign: testId('onboarding-import-wallet'), act: pressed },
  { sign: testId('onboarding-import-with-srp-button'), act: pressed },
  { sign: testId('passkey-maybe-later-button'), act: pressed },
  { sign: testId('metametrics-no-thanks'), act: pressed },
  { sign: testId('metametrics-i-agree'), act: pressed },
  { sign: testId('import-srp-confirm'), act: typePhrase },
  { sign: testId('create-password-terms'), act: choosePassword },
  { sign: testId('onboarding-complete-done'), act: pressed },
  { sign: testId('download-app-continue'), act: pressed },
  { sign: testId('pin-extension-next'), act: pressed },
  { sign: testId('pin-extension-done'), act: pressed },
];

/** What a person presses to agree to whatever the wallet asks, the most particular first. */
const AGREEING: readonly Step[] = [
  UNLOCK,
  { sign: '.snap-privacy-warning__content', act: scrolled },
  { sign: '.snap-privacy-warning button:enabled:has-text("Accept")', act: pressed },
  { sign: '.snap-install-warning input[type="checkbox"]:not(:checked)', act: checked },
  { sign: `${testId('snap-install-warning-modal-confirm')}:enabled`, act: pressed },
  { sign: testId('snap-install-scroll'), act: pressed },
  { sign: testId('snap-update-scroll'), act: pressed },
  { sign: `${testId('submit-add-account-with-name')}:enabled`, act: pressed },
  { sign: `${testId('confirm-btn')}:enabled`, act: pressed },
  { sign: `${testId('confirm-footer-button')}:enabled`, act: pressed },
  { sign: `${testId('confirmation-submit-button')}:enabled`, act: pressed },
  { sign: `${testId('page-container-footer-next')}:enabled`, act: pressed },
  { sign: '.snap-footer-button:enabled >> nth=-1', act: pressed },
];

const HOME = [testId('account-menu-icon'), testId('account-options-menu-button')];

/** A look at what the wallet asks, before it is agreed to. */
export type Look = (page: Page) => Promise<void>;

/** MetaMask in Chromium, driven by its own pages. */
export class MetaMask {
  readonly context: BrowserContext;
  readonly #id: string;
  readonly #home: Page;

  private constructor(context: BrowserContext, id: string, home: Page) {
    this.context = context;
    this.#id = id;
    this.#home = home;
  }

  /**
   * Starts Chromium with the extension. Nothing can leave this machine.
   *
   * @param folder - Of the unpacked extension.
   * @param profile - Folder of the browser profile; a used one goes on as it was left.
   */
  static async open(folder: string, profile: string): Promise<MetaMask> {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: '/usr/bin/chromium',
      headless: false,
      viewport: { width: 1280, height: 900 },
      args: [
        '--headless=new',
        '--no-sandbox',
        `--disable-extensions-except=${folder}`,
        `--load-extension=${folder}`,
        '--disable-background-networking',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      ],
    });
    context.setDefaultTimeout(STEP);
    const [worker] = context.serviceWorkers();
    const { host } = new URL((worker ?? (await context.waitForEvent('serviceworker'))).url());
    const home = await context.newPage();
    const metamask = new MetaMask(context, host, home);
    await home.goto(metamask.#url('home.html'), { waitUntil: 'commit' });
    return metamask;
  }

  close(): Promise<void> {
    return this.context.close();
  }

  /** Imports the test phrase, or unlocks the wallet that has it, up to the list of accounts. */
  async start(): Promise<void> {
    const page = this.#home;
    // A new wallet opens a page of its own, and both would work.
    for (const other of this.context.pages())
      if (other !== page && other.url().startsWith(this.#url(''))) await other.close();
    const signs = [...HOME, ...ONBOARDING.map(({ sign }) => sign)].join(', ');
    for (;;) {
      await page.locator(signs).first().waitFor();
      if (await page.locator(HOME.join(', ')).first().isVisible()) return;
      await this.#pass(page, ONBOARDING);
    }
  }

  /**
   * Agrees to everything that the wallet asks until a request has an answer.
   *
   * @param request - What a page asked of the wallet.
   * @param look - Called for each thing that is asked.
   * @param width - Of the wallet's window, in CSS pixels.
   */
  async agree<T>(request: Promise<T>, look?: Look, width = 400): Promise<T> {
    const settled = { done: false };
    const watched = request.finally(() => (settled.done = true));
    // It is awaited below; a refusal before that is not unhandled.
    watched.catch(() => undefined);
    const asked = AGREEING.map(({ sign }) => sign).join(', ');
    let page = await this.openPage('notification.html', width);
    while (!settled.done) {
      // It closes itself once nothing is asked, and the next request may come later.
      if (page.isClosed()) page = await this.openPage('notification.html', width);
      const shown = page.locator(asked).first().waitFor();
      const isShown = await Promise.race([shown.then(() => true), watched.then(() => false)]).catch(() => false);
      if (!isShown) continue;
      await look?.(page);
      await this.#pass(page, AGREEING).catch((error: unknown) => {
        if (!page.isClosed()) throw error;
      });
    }
    await page.close();
    return watched;
  }

  /** Opens a page of the wallet, such as `home.html#snaps`. */
  async openPage(path: string, width = 1280): Promise<Page> {
    const page = await this.context.newPage();
    await page.setViewportSize({ width, height: width < 600 ? 640 : 900 });
    await page.goto(this.#url(path), { waitUntil: 'commit' });
    return page;
  }

  async #pass(page: Page, steps: readonly Step[]): Promise<void> {
    for (const { sign, act } of steps) {
      const element = page.locator(sign).first();
      if (!(await element.isVisible())) continue;
      await act(page, element);
      await element.waitFor({ state: 'hidden', timeout: AGAIN }).catch(() => undefined);
      return;
    }
  }

  #url(path: string): string {
    return `chrome-extension://${this.#id}/${path}`;
  }
}
