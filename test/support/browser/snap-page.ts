import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { type Hex } from 'viem';

import { PAGE_FOLDER } from '../../../scripts/page-weight';
import { type Devnet } from '../../../src/companion/model/types';
import { type SnapInProcess } from '../wallet/in-process';
import { COMPANION } from '../wallet/program';

const SNAP_ID = 'npm:keystead';
const RDNS = 'io.metamask.flask';

/** Announces a wallet that passes every request on to this process. The page was connected to it before. */
const WALLET = `
  const info = { uuid: '00000000-0000-4000-8000-000000000001', name: 'MetaMask Flask', icon: 'data:,', rdns: '${RDNS}' };
  const provider = {
    on() {},
    removeListener() {},
    request: async ({ method, params }) => {
      const { result, error } = await askWallet(method, params);
      if (error) throw error;
      return result;
    },
  };
  addEventListener('eip6963:requestProvider', () => {
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
  });
  localStorage.setItem('keystead.last-wallet', ${JSON.stringify(JSON.stringify({ rdns: RDNS, snapId: SNAP_ID }))});
`;

type Invocation = { readonly request: { readonly method: string; readonly params?: never } };
type Failure = { readonly code?: number; readonly message: string; readonly data?: unknown };

/** What the wallet's node answers. */
async function askNode(nodeUrl: string, method: string, params: unknown): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(nodeUrl, { method: 'POST', body });
  const { result, error } = (await response.json()) as { readonly result?: unknown; readonly error?: Failure };
  if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code });
  return result;
}

/** What a wallet with the snap answers to the page. */
function answer({ snap, nodeUrl, account }: Surroundings, method: string, params: unknown): Promise<unknown> {
  const { request } = (params ?? {}) as Partial<Invocation>;
  if (method === 'wallet_invokeSnap' && request !== undefined)
    return snap.dapp(request.method, request.params, COMPANION);
  if (method === 'wallet_invokeKeyring' && request !== undefined)
    return snap.keyring(request.method, request.params, COMPANION);
  if (method === 'wallet_getSnaps') return Promise.resolve({ [SNAP_ID]: { version: '1.0.0' } });
  if (account !== undefined && method === 'eth_requestAccounts') return Promise.resolve([account]);
  if (account !== undefined && method.startsWith('eth_')) return askNode(nodeUrl, method, params ?? []);
  return Promise.reject(Object.assign(new Error(`${method} is not supported`), { code: 4200 }));
}

type Surroundings = {
  readonly snap: SnapInProcess;
  /** The node and bundler of the page's network. */
  readonly nodeUrl: string;
  readonly chain: Devnet['chain'];
  /** An account of the wallet's own, which is on the node's network and sends whatever it is asked to. */
  readonly account?: Hex | undefined;
  readonly recoveryModule?: Devnet['recoveryModule'];
  /** Called after each answer of the snap, with the method. */
  readonly onAnswered?: (method: string) => void;
};

/**
 * The built companion page in a browser, with the snap in this process: the page, the snap and what they say to each
 * other are real, the wallet between them and the node are not.
 */
export class SnapPage {
  readonly page: Page;
  /** Uncaught errors of the page, and violations of its Content Security Policy. */
  readonly faults: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(30_000);
    page.on('pageerror', ({ message }) => this.faults.push(message));
    page.on('console', (message) => {
      if (/Content Security Policy/u.test(message.text())) this.faults.push(message.text());
    });
  }

  /** Builds the page if it is stale. */
  static build(): void {
    execFileSync('npx', ['tsx', 'scripts/build-page.ts', '--if-stale']);
  }

  /** @param browser - See {@link SnapPage.build}, which comes first. */
  static async open(
    browser: Browser,
    surroundings: Surroundings,
    options: BrowserContextOptions = {},
  ): Promise<SnapPage> {
    const { nodeUrl, chain, recoveryModule, onAnswered = () => undefined } = surroundings;
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const devnet: Devnet = {
      snapId: SNAP_ID,
      executorUrl: `${COMPANION}/executor/`,
      chain,
      ...(recoveryModule !== undefined && { recoveryModule }),
    };
    await page.exposeFunction('askWallet', (method: string, params: unknown) =>
      answer(surroundings, method, params)
        .then(
          (result) => ({ result }),
          ({ code, message, data }: Failure) => ({ error: { code, message, data } }),
        )
        .finally(() => {
          onAnswered((params as Partial<Invocation> | undefined)?.request?.method ?? method);
        }),
    );
    await page.addInitScript(WALLET);
    await page.route(`${COMPANION}/**`, (route) => {
      const { pathname } = new URL(route.request().url());
      return pathname === '/devnet.json'
        ? route.fulfill({ json: devnet })
        : route.fulfill({ path: join(PAGE_FOLDER, pathname === '/' ? 'index.html' : pathname) });
    });
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    await page.route(`${nodeUrl}/**`, async (route) => {
      const request = route.request();
      if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers });
      const response = await fetch(nodeUrl, { method: 'POST', body: request.postData() }).catch(() => undefined);
      if (response === undefined) return route.abort();
      return route.fulfill({ headers, contentType: 'application/json', body: await response.text() });
    });
    const opened = new SnapPage(page);
    await page.goto(`${COMPANION}/`);
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    return opened;
  }

  /** Opens a view by its address. @param title - Its main heading. */
  async go(hash: string, title: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(`#/${hash}`)}`);
    await this.page.getByRole('heading', { name: title, level: 1, exact: true }).waitFor();
  }

  /** Clicks a button by its exact name. */
  async press(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}
