import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { type Browser, chromium, type Page } from 'playwright-core';

import { type Alternated, type Plan } from './alternate';
import { faultOf } from './answers';
import { buildPage } from './build-page';
import { pathOf } from './names';
import { type SnapRequest } from './requests';
import { type Content, serve, type Served } from './serve';

/** Where distributions install the browser. `CHROMIUM` overrides it. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** @returns The browser's path, or undefined if it is not installed. */
export const findChromium = (): string | undefined => process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path));

/** The wallet in one page of the browser. */
export class BrowserWallet {
  constructor(
    readonly page: Page,
    private readonly snaps: string,
    private readonly executor: string,
  ) {}

  /**
   * @param first - A request that is sent as soon as it runs.
   * @returns Milliseconds from the start of the executor to the response.
   * @throws If that response is wrong.
   */
  async install(name: string, first?: SnapRequest): Promise<number> {
    const { snaps, executor } = this;
    const { ms, answer } = await this.page.evaluate(
      ([key, url, frame, request]) => globalThis.bench.install(key, url, frame, request),
      [name, `${snaps}/${pathOf(name)}/`, executor, first] as const,
    );
    const fault = first === undefined ? undefined : faultOf(name, first, answer);
    if (fault !== undefined) throw new Error(fault);
    return ms;
  }

  call<T>(name: string, request: SnapRequest): Promise<T> {
    return this.page.evaluate(([key, ask]) => globalThis.bench.call(key, ask), [name, request] as const) as Promise<T>;
  }

  close(): Promise<void> {
    return this.page.context().close();
  }

  alternate(requests: Readonly<Record<string, SnapRequest>>, plan: Plan): Promise<Alternated> {
    return this.page.evaluate(([all, how]) => globalThis.bench.alternate(all, how), [requests, plan] as const);
  }
}

/** The API that `page.mjs` adds to the page. */
type PageApi = {
  install: (
    name: string,
    url: string,
    executor: string,
    first?: SnapRequest,
  ) => Promise<{ ms: number; answer?: unknown }>;
  call: (name: string, request: SnapRequest) => Promise<unknown>;
  alternate: (requests: Readonly<Record<string, SnapRequest>>, plan: Plan) => Promise<Alternated>;
};
declare global {
  var bench: PageApi;
}

/** A browser with access to the snaps to be measured. */
export type SnapBrowser = {
  readonly version: string;
  /** Opens a fresh page with a wallet; nothing is cached between pages. */
  readonly open: () => Promise<BrowserWallet>;
  readonly close: () => Promise<void>;
};

const executorFolder = join(
  dirname(createRequire(import.meta.url).resolve('@metamask/snaps-execution-environments/package.json')),
  'dist/webpack/iframe',
);

/** @param folders - The folders of built snaps, by name. */
export async function startBrowser(
  executablePath: string,
  folders: Readonly<Record<string, string>>,
): Promise<SnapBrowser> {
  const script = await buildPage();
  const mounts: Content = Object.fromEntries(
    Object.entries(folders).map(([name, folder]) => [`/${pathOf(name)}/`, { folder }]),
  );
  const pages: Served = await serve({
    '/page.js': { text: script, type: 'text/javascript' },
    '/': { text: '<!doctype html><body><script src="/page.js"></script>', type: 'text/html' },
  });
  const snaps = await serve(mounts);
  // On a different origin than the page, as in the wallet.
  const executor = await serve({ '/': { folder: executorFolder } });
  const browser: Browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  return {
    version: browser.version(),
    open: async () => {
      const context = await browser.newContext();
      const page = await context.newPage();
      page.on('pageerror', (error) => {
        console.error(`page: ${error.message}`);
      });
      await page.goto(pages.url.replace('127.0.0.1', 'localhost'));
      await page.waitForSelector('body[data-ready]', { state: 'attached' });
      return new BrowserWallet(page, snaps.url, `${executor.url}/index.html`);
    },
    close: async () => {
      await browser.close();
      await Promise.all([pages, snaps, executor].map((served) => served.close()));
    },
  };
}
