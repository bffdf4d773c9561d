import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { type Json } from '@metamask/snaps-sdk';
import { type Browser, chromium, type Page } from 'playwright-core';

import { type Alternated, type Plan } from './alternate';
import { faultOf } from './answers';
import { buildPage } from './build-page';
import { type SnapRequest } from './request';
import { type Content, serve, type Served } from './serve';
import { pathOf } from './names';

/** Where distributions install the browser. `CHROMIUM` overrides it. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** @returns The browser's path, or undefined if it is not installed. */
export const findChromium = (): string | undefined => process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path));

export type InstallOptions = {
  /** The first request, sent as soon as it runs. */
  readonly first?: SnapRequest;
  /** Whether to simulate the wallet's own connection to a chain (`provider.ts`). */
  readonly hasProvider?: boolean;
} & Partial<Stored>;

/** A snap's stored state, for restoring it. */
export type Stored = { readonly state: unknown; readonly unencryptedState: unknown };

/** The wallet in one page of the browser. */
export class BrowserWallet {
  constructor(
    readonly page: Page,
    private readonly snaps: string,
    private readonly executor: string,
  ) {}

  /**
   * @returns Milliseconds from the start of the executor to the response to `first`.
   * @throws If that response is wrong.
   */
  async install(name: string, options: InstallOptions = {}): Promise<number> {
    const { snaps, executor } = this;
    const { ms, answer } = await this.page.evaluate(([key, url, rest]) => globalThis.bench.install(key, url, rest), [
      name,
      `${snaps}/${pathOf(name)}/`,
      { executor, ...options },
    ] as const);
    const fault = options.first === undefined ? undefined : faultOf(name, options.first, answer);
    if (fault !== undefined) throw new Error(fault);
    return ms;
  }

  call<T = Json>(name: string, request: SnapRequest): Promise<T> {
    return this.page.evaluate(([key, ask]) => globalThis.bench.call(key, ask), [name, request] as const) as Promise<T>;
  }

  stop(name: string): Promise<void> {
    return this.page.evaluate((key) => globalThis.bench.stop(key), name);
  }

  state(name: string): Promise<Stored> {
    return this.page.evaluate((key) => globalThis.bench.state(key), name);
  }

  /** @returns For each request: milliseconds until the snap first calls the wallet, and from then on. */
  timeline(name: string, request: SnapRequest, count: number): Promise<Timed[]> {
    return this.page.evaluate(([key, ask, times]) => globalThis.bench.timeline(key, ask, times), [
      name,
      request,
      count,
    ] as const);
  }

  /** @returns Bytes of JavaScript heap used by the one running snap, after a collection. */
  async heap(): Promise<number> {
    const frame = this.page.frames().find((each) => each !== this.page.mainFrame());
    if (frame === undefined) throw new Error('no snap runs here');
    const session = await this.page.context().newCDPSession(frame);
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  }

  close(): Promise<void> {
    return this.page.context().close();
  }

  /** @returns How often the snap calls the wallet in one request, by method. */
  count(name: string, request: SnapRequest): Promise<Record<string, number>> {
    return this.page.evaluate(([key, ask]) => globalThis.bench.count(key, ask), [name, request] as const);
  }

  alternate(requests: Readonly<Record<string, SnapRequest>>, plan: Plan): Promise<Alternated> {
    return this.page.evaluate(([all, how]) => globalThis.bench.alternate(all, how), [requests, plan] as const);
  }
}

/** A request in two parts, in milliseconds. */
export type Timed = { readonly before: number; readonly after: number };

/** The API that `page.mjs` adds to the page. */
type PageApi = {
  timeline: (name: string, request: SnapRequest, count: number) => Promise<Timed[]>;
  install: (
    name: string,
    url: string,
    options: InstallOptions & { executor: string },
  ) => Promise<{ ms: number; answer?: Json }>;
  call: (name: string, request: SnapRequest) => Promise<Json>;
  stop: (name: string) => Promise<void>;
  state: (name: string) => Stored;
  count: (name: string, request: SnapRequest) => Promise<Record<string, number>>;
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
