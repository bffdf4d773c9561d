import { type Browser, type BrowserContext } from 'playwright-core';

import { Companion } from '../../test/support/browser/companion';
import { passDelay } from './people';

/** Estimates, in seconds: to find and press something, to fill in a field, and to read what is signed. */
const CLICK = 4;
const FIELD = 12;
const SIGNATURE = 20;
/** To send somebody a link, have it opened, and talk about it. */
const LINK = 120;

/** What is counted, by the name that the page tells. */
type Counts = Record<'clicks' | 'fields' | 'signatures' | 'links', number>;

const NOTHING: Counts = { clicks: 0, fields: 0, signatures: 0, links: 0 };

/** Runs in the page. What is typed is text; what comes from the clipboard or from a button of the page is not. */
const COUNT = `(() => {
  const tell = (what) => { globalThis.tellWalk(what); };
  addEventListener('click', (event) => {
    if (!event.isTrusted || event.detail === 0) return;
    tell('clicks');
    const [first] = event.composedPath();
    if (first.closest?.('.choices, .footer')?.querySelector('button:last-of-type') === first.closest('button')) tell('signatures');
  }, true);
  addEventListener('change', ({ target }) => {
    tell('fields');
    if (location.hash.startsWith('#/settings') || /url/iu.test(target.name ?? '')) tell('an edited setting');
  }, true);
  addEventListener('input', (event) => {
    const { value = '' } = event.composedPath()[0];
    if (!/0x[0-9a-f]{6}/iu.test(value)) return;
    tell(event.inputType === 'insertFromPaste' ? 'pasted hex' : 'typed hex');
  }, true);
  const { credentials } = navigator;
  for (const name of ['get', 'create']) {
    const ask = credentials[name].bind(credentials);
    credentials[name] = (options) => { tell('signatures'); return ask(options); };
  }
})();`;

type Row = Counts & { readonly name: string; readonly seconds: number; readonly hasDelay: boolean };

/** What a way may do that others may not. */
type Allowance = { readonly pastesAddress?: boolean };

/** Counts what people do on the page, in browsers of their own. */
export class Walk {
  readonly url: string;
  readonly #browser: Browser;
  readonly #companions: Companion[] = [];
  readonly #rows: Row[] = [];
  readonly #counts = { ...NOTHING };
  readonly #forbidden: string[] = [];
  #delays = 0;

  constructor(browser: Browser, url: string) {
    this.#browser = browser;
    this.url = url;
  }

  /** Opens an empty browser, at the page. */
  async open(): Promise<Companion> {
    const companion = await Companion.open(this.#browser, 'about:blank');
    companion.page.setDefaultTimeout(180_000);
    await this.#listen(companion.context);
    this.#companions.push(companion);
    await companion.page.goto(this.url);
    return companion;
  }

  async #listen(context: BrowserContext): Promise<void> {
    await context.exposeFunction('tellWalk', (what: string) => {
      if (Object.hasOwn(this.#counts, what)) this.#counts[what as keyof Counts] += 1;
      else this.#forbidden.push(what);
    });
    await context.addInitScript(COUNT);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  }

  /** Opens a link that somebody was sent. */
  async follow({ page }: Companion, link: string): Promise<void> {
    this.#counts.links += 1;
    await page.goto(link);
  }

  /** Pastes an address that the person has written down. */
  async paste({ page }: Companion, label: string, text: string): Promise<void> {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await page.getByLabel(label, { exact: true }).click();
    await page.keyboard.press('Control+V');
  }

  /** The delay passes; it is not part of the minutes. */
  async passDelay(): Promise<void> {
    this.#delays += 1;
    await passDelay(this.url);
  }

  /**
   * Walks one way, or a part of one.
   *
   * @throws If it types hex, edits settings, pastes what it need not, or ends with an error on a page.
   */
  async way<T>(name: string, work: () => Promise<T>, { pastesAddress = false }: Allowance = {}): Promise<T> {
    console.log(name);
    await this.#settle();
    const before = { ...this.#counts };
    const [forbidden, delays, began] = [this.#forbidden.length, this.#delays, Date.now()];
    const result = await work();
    const seconds = (Date.now() - began) / 1000;
    await this.#settle();
    const faults = this.#forbidden.slice(forbidden).filter((what) => !(pastesAddress && what === 'pasted hex'));
    for (const { page } of this.#companions)
      if (!page.isClosed()) faults.push(...(await page.locator('main .status.error').allInnerTexts()));
    if (faults.length > 0) throw new Error(`${name}: ${faults.join('; ')}`);
    const counts = Object.fromEntries(
      Object.entries(this.#counts).map(([what, count]) => [what, count - before[what as keyof Counts]]),
    ) as Counts;
    this.#rows.push({ name, ...counts, seconds, hasDelay: this.#delays > delays });
    console.log(rowText(this.#rows.at(-1)!));
    return result;
  }

  /** Waits until the pages have told everything. */
  async #settle(): Promise<void> {
    for (const { page } of this.#companions) if (!page.isClosed()) await page.evaluate('0');
  }

  /** Ends what a person does, whose browser is not needed again. @throws If the page had faults. */
  async close(companion: Companion): Promise<void> {
    await this.#settle();
    await companion.close();
    if (companion.faults.length > 0) throw new Error(`The page has faults: ${companion.faults.join('; ')}`);
  }

  table(): string {
    const head = '| Way | Clicks | Fields | Signatures | Links | Minutes | Delay | Seconds |';
    return ['', head, '| --- | --- | --- | --- | --- | --- | --- | --- |', ...this.#rows.map(rowText)].join('\n');
  }
}

/** Minutes are rounded up. */
function rowText({ name, clicks, fields, signatures, links, seconds, hasDelay }: Row): string {
  const estimate = clicks * CLICK + fields * FIELD + signatures * SIGNATURE + links * LINK;
  const cells = [name, clicks, fields, signatures, links, Math.ceil(estimate / 60), hasDelay ? 'yes' : 'no'];
  return `| ${[...cells, seconds.toFixed(0)].join(' | ')} |`;
}
