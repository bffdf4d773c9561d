import { type BrowserContext, chromium, errors, type Locator, type Page } from 'playwright-core';

import { HOME, ONBOARDING, pressed, RELOAD, type Step, testId, UNLOCK } from './onboarding';

/** How long one step of the wallet may take on a busy machine, in milliseconds. */
const STEP = 900_000;
/** How long an element may stay after it was used, before it is used again. */
const AGAIN = 10_000;
const NOTHING = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';
/** MetaMask's own popup. */
const POPUP = { width: 400, height: 640 };

const APPROVE = [
  `${testId('submit-add-account-with-name')}:enabled`,
  `${testId('confirm-btn')}:enabled`,
  `${testId('confirm-footer-button')}:enabled`,
  `${testId('confirmation-submit-button')}:enabled`,
  `${testId('page-container-footer-next')}:enabled`,
  '.snap-ui-renderer__footer button:enabled:last-of-type',
];
const REJECT = [
  testId('confirm-footer-cancel-button'),
  testId('confirmation-cancel-button'),
  testId('page-container-footer-cancel'),
  testId('cancel-btn'),
  '.snap-ui-renderer__footer button:enabled:first-of-type',
  // What failed, and can only be noted.
  `.page-container__footer:not(:has(${testId('page-container-footer-cancel')})) ${testId('page-container-footer-next')}:enabled`,
];

/** The class of what a snap draws, on any page of the wallet. */
export const SNAP_SCREEN = 'snap-ui-renderer__content';

/** What must be read or ticked before the wallet lets a person approve. */
const BEFORE: readonly Step[] = [
  UNLOCK,
  RELOAD,
  { sign: ':is(.snap-install-warning, .snap-privacy-warning) button:enabled:has-text("Accept")', act: pressed },
  {
    sign: '.snap-privacy-warning__content',
    act: async (page, notice) => {
      await notice.hover();
      await page.mouse.wheel(0, 10_000);
    },
  },
  {
    sign: '.snap-install-warning input[type="checkbox"]:not(:checked)',
    act: async (_page, box) => box.press('Space'),
  },
  { sign: `${testId('snap-install-warning-modal-confirm')}:enabled`, act: pressed },
  { sign: testId('snap-install-scroll'), act: pressed },
  { sign: testId('snap-update-scroll'), act: pressed },
];

const pressing = (signs: readonly string[]): readonly Step[] => [
  ...BEFORE,
  ...signs.map((sign) => ({ sign, act: pressed })),
];
const APPROVING = pressing(APPROVE);
const REJECTING = pressing(REJECT);
const anyOf = (steps: readonly Step[]): string => steps.map(({ sign }) => sign).join(', ');
const shownOf = (page: Page, sign: string): Locator => page.locator(sign).filter({ visible: true }).first();

/** Looks at a page of the wallet before it is answered. */
export type Look = (page: Page) => Promise<void>;

/** MetaMask in Chromium, driven by its own pages. */
export class MetaMask {
  readonly context: BrowserContext;
  readonly #id: string;

  private constructor(context: BrowserContext, id: string) {
    this.context = context;
    this.#id = id;
  }

  /**
   * Starts Chromium with the extension.
   *
   * @param folder - The unpacked extension.
   * @param profile - The folder of the browser profile, new or used.
   * @param reach - Chromium's arguments that say what it reaches: without any, no host but `localhost`.
   */
  static async open(folder: string, profile: string, reach: readonly string[] = [NOTHING]): Promise<MetaMask> {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: '/usr/bin/chromium',
      headless: false,
      viewport: { width: 1280, height: 900 },
      args: [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--force-prefers-reduced-motion',
        `--disable-extensions-except=${folder}`,
        `--load-extension=${folder}`,
        '--disable-background-networking',
        ...reach,
      ],
    });
    context.setDefaultTimeout(STEP);
    const [worker] = context.serviceWorkers();
    const { host } = new URL((worker ?? (await context.waitForEvent('serviceworker'))).url());
    return new MetaMask(context, host);
  }

  close(): Promise<void> {
    return this.context.close();
  }

  /** Imports the test phrase, or unlocks the wallet that has it, until its home page is shown. */
  async start(): Promise<void> {
    const page = await this.openPage('home.html');
    // A new wallet opens a page of its own, which would go through the same steps.
    for (const other of this.context.pages()) if (other !== page && this.#isOurs(other)) await other.close();
    const signs = `${HOME}, ${anyOf(ONBOARDING)}`;
    try {
      for (;;) {
        await shownOf(page, signs).waitFor();
        if (await shownOf(page, HOME).isVisible()) break;
        const isLast = await page.locator(testId('onboarding-complete-done')).isVisible();
        await this.#pass(page, ONBOARDING);
        // Newer wallets go on in the browser's side panel, and leave this page as it is. Older ones have another step.
        if (isLast && page.url().endsWith('/completion'))
          await page.goto(this.#url('home.html'), { waitUntil: 'commit' });
      }
    } catch (error) {
      throw await this.#stuck(page, error);
    }
    await page.close();
  }

  /**
   * Opens its menu in a tab. A tab that is opened once a dialog waits shows the dialog instead.
   *
   * @returns Locks the wallet with the menu.
   */
  async openMenu(): Promise<() => Promise<void>> {
    const page = await this.openPage('home.html');
    await shownOf(page, testId('account-options-menu-button')).press('Enter');
    const lock = page.locator(testId('global-menu-lock'));
    await lock.waitFor();
    return async () => {
      await lock.press('Enter');
      await page.locator(UNLOCK.sign).waitFor();
      await page.close();
    };
  }

  /** Opens the page of a snap, as a person does: in the list of snaps, whose links differ by the wallet's version. */
  async openHome(name: string): Promise<Page> {
    const page = await this.openPage('home.html#/snaps', POPUP);
    try {
      await page.getByText(name, { exact: true }).first().click();
      await shownOf(page, `.${SNAP_SCREEN}`).waitFor();
    } catch (error) {
      throw await this.#stuck(page, error);
    }
    return page;
  }

  /**
   * Removes a snap by the menu of its page. If it has accounts, the wallet has the person type its name, and then
   * removes the accounts one after the other, which stops if its page is closed.
   *
   * @param meanwhile - Called when the removal has begun.
   */
  async removeSnap(name: string, meanwhile: () => Promise<void>): Promise<void> {
    const page = await this.openHome(name);
    try {
      const menu = page.locator(testId('snap-home-menu-button'));
      await menu.press('Enter');
      await page.locator('.snap-home-menu__item').getByText('Remove').click();
      const confirm = page.locator('#popoverRemoveSnapButton:enabled');
      await confirm.press('Enter');
      const field = page.locator(testId('remove-snap-confirmation-input'));
      const isGone = menu.waitFor({ state: 'hidden' });
      isGone.catch(() => undefined);
      await Promise.race([isGone, field.waitFor().catch(() => undefined)]);
      if (await field.isVisible()) {
        await field.fill(name);
        await confirm.press('Enter');
        await Promise.all([page.getByText(`${name} removed`).waitFor(), meanwhile()]);
      } else await Promise.all([isGone, meanwhile()]);
    } catch (error) {
      throw await this.#stuck(page, error);
    }
    await page.close();
  }

  /** Ends its service worker, as the browser does to one that is idle. */
  async stopWorker(): Promise<void> {
    const page = await this.openPage('home.html');
    const session = await this.context.newCDPSession(page);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    await page.close();
  }

  /**
   * Approves everything that the wallet asks until a request has an answer.
   *
   * @param request - The request of a page.
   * @param look - Called before each approval.
   */
  approve<T>(request: Promise<T>, look?: Look): Promise<T> {
    return this.#answer(request, APPROVING, look);
  }

  /** Rejects everything that the wallet asks until a request has an answer. */
  reject<T>(request: Promise<T>, look?: Look): Promise<T> {
    return this.#answer(request, REJECTING, look);
  }

  /** Opens the dialog of a snap that waits, past what the wallet shows before it. */
  async openDialog(): Promise<Page> {
    let page = await this.openPopup();
    const steps = [...BEFORE, { sign: APPROVE.join(', '), act: pressed }];
    for (;;) {
      if (page.isClosed()) page = await this.openPopup();
      try {
        await shownOf(page, `.${SNAP_SCREEN}, ${anyOf(steps)}`).waitFor();
        if (await shownOf(page, `.${SNAP_SCREEN}`).isVisible()) return page;
        await this.#pass(page, steps);
      } catch (error) {
        if (!page.isClosed()) throw await this.#stuck(page, error);
      }
    }
  }

  /** Opens the dialogs of a snap that wait, and goes on to the one with a text. */
  async openDialogWith(text: string): Promise<Page> {
    const page = await this.openDialog();
    const wanted = page.locator(`.${SNAP_SCREEN}`).filter({ visible: true, hasText: text }).first();
    const next = page.locator(`${testId('confirm-nav__next-confirmation')}:enabled`);
    try {
      await wanted.or(next).first().waitFor();
      while (!(await wanted.isVisible())) {
        await next.press('Enter');
        await wanted.or(next).first().waitFor();
      }
    } catch (error) {
      throw await this.#stuck(page, error);
    }
    return page;
  }

  /** Rejects everything that the wallet asks, whoever asked, and closes its pages. */
  async rejectAll(): Promise<void> {
    for (const page of this.context.pages()) if (this.#isOurs(page)) await page.close();
    await this.#answerAll(REJECTING);
  }

  /**
   * Approves everything that the wallet asks, until it asks nothing more. After an account was added, it shows that,
   * and what it begins before a person has closed that never ends.
   */
  approveAll(): Promise<void> {
    return this.#answerAll(APPROVING);
  }

  /** Makes a node that a network already has, by its host, the network's default. @param chainId - CAIP-2. */
  async chooseNode(chainId: string, host: string): Promise<void> {
    const page = await this.openPage('home.html#/networks', POPUP);
    try {
      await page.locator(testId(`network-list-item-options-button-${chainId}`)).press('Enter');
      await page.locator(testId('network-list-item-options-edit')).press('Enter');
      await page.locator(testId('test-add-rpc-drop-down')).press('Enter');
      await page.getByText(host, { exact: true }).click();
      const save = page.locator('button:enabled').filter({ hasText: 'Save' });
      await save.press('Enter');
      await save.waitFor({ state: 'hidden' });
    } catch (error) {
      throw await this.#stuck(page, error);
    }
    await page.close();
  }

  /** Opens a page of the wallet, such as `home.html#snaps`. */
  async openPage(path: string, size = { width: 1280, height: 900 }): Promise<Page> {
    const page = await this.context.newPage();
    await page.setViewportSize(size);
    await page.goto(this.#url(path), { waitUntil: 'commit' });
    return page;
  }

  async #answerAll(steps: readonly Step[]): Promise<void> {
    const page = await this.openPopup();
    const signs = `${HOME}, ${anyOf(steps)}`;
    // It closes itself when nothing is left to ask, or shows what a wallet shows that is at rest.
    while (!page.isClosed())
      try {
        await shownOf(page, signs).waitFor();
        if (await shownOf(page, HOME).isVisible()) await page.close();
        else await this.#pass(page, steps);
      } catch (error) {
        if (!page.isClosed()) throw await this.#stuck(page, error);
      }
  }

  async #answer<T>(request: Promise<T>, steps: readonly Step[], look?: Look): Promise<T> {
    const settled = { done: false };
    const watched = request.finally(() => (settled.done = true));
    // Awaited at the end; until then a failure is not unhandled.
    watched.catch(() => undefined);
    let page = await this.openPopup();
    while (!settled.done) {
      // It closes itself when nothing is left to ask, although the same request may ask again later.
      if (page.isClosed()) page = await this.openPopup();
      const showing = page;
      const passed = shownOf(showing, anyOf(steps))
        .waitFor()
        .then(() => look?.(showing))
        .then(() => this.#pass(showing, steps));
      try {
        // What the wallet asked may go away unanswered, and leave the page empty.
        await Promise.race([passed, watched]);
      } catch (error) {
        if (settled.done) break;
        if (!page.isClosed()) throw await this.#stuck(page, error);
      }
    }
    try {
      return await watched;
    } catch (error) {
      throw error instanceof errors.TimeoutError ? await this.#stuck(page, error) : error;
    } finally {
      await page.close();
    }
  }

  /** The cause, with what the wallet shows. */
  async #stuck(page: Page, cause: unknown): Promise<Error> {
    const text = await page
      .locator('body')
      .innerText({ timeout: AGAIN })
      .catch(() => '(nothing yet)');
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new Error(`MetaMask does not go on. It shows:\n${text}\n\n${reason}`, { cause });
  }

  /** The wallet opens its popup itself, unless the person had it use the side panel. */
  async openPopup(): Promise<Page> {
    const opened = this.context.pages().find((page) => page.url().startsWith(this.#url('notification.html')));
    await opened?.setViewportSize(POPUP);
    return opened ?? this.openPage('notification.html', POPUP);
  }

  async #pass(page: Page, steps: readonly Step[]): Promise<void> {
    for (const { sign, act } of steps) {
      const element = shownOf(page, sign);
      if (!(await element.isVisible())) continue;
      try {
        await act(page, element);
      } catch (error) {
        // On a busy machine, the wallet goes on to its next page in the middle of a step. Then its sign is gone.
        if (!(error instanceof errors.TimeoutError) || (await element.isVisible())) throw error;
      }
      await element.waitFor({ state: 'hidden', timeout: AGAIN }).catch(() => undefined);
      return;
    }
  }

  #isOurs(page: Page): boolean {
    return page.url().startsWith(this.#url(''));
  }

  #url(path: string): string {
    return `chrome-extension://${this.#id}/${path}`;
  }
}
