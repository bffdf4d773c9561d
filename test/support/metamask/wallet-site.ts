import { type Page } from 'playwright-core';

import { type Devnet } from '../../../src/companion/model/types';
import { type Look, type MetaMask } from './metamask';

/** An error of the wallet, as a page sees it. */
export type WalletError = { readonly code: number; readonly message: string };

/** What the wallet answers to a request. */
export type Reply<T> = { readonly result: T } | { readonly error: WalletError };

const requestOf = (method: string, params?: unknown) => ({ method, ...(params !== undefined && { params }) });

/** A page in a browser with MetaMask. A test asks the wallet through it as a site does. */
export class WalletSite {
  readonly page: Page;
  readonly devnet: Devnet;
  readonly metamask: MetaMask;

  private constructor(metamask: MetaMask, page: Page, devnet: Devnet) {
    this.metamask = metamask;
    this.page = page;
    this.devnet = devnet;
  }

  /** Opens a page. @param devnet - What the page, if it is the companion page, learns about the devnet. */
  static async open(metamask: MetaMask, url: string, devnet: Devnet): Promise<WalletSite> {
    const page = await metamask.context.newPage();
    await page.route('**/devnet.json', (route) => route.fulfill({ json: devnet }));
    await page.goto(url);
    await page.waitForFunction('globalThis.ethereum !== undefined');
    return new WalletSite(metamask, page, devnet);
  }

  /** Asks the wallet, and approves everything it asks. @throws {Error} With the wallet's code and message. */
  async ask<T>(method: string, params?: unknown, look?: Look): Promise<T> {
    return resultOf(method, await this.metamask.approve(this.#send<T>(method, params), look));
  }

  /** Asks the wallet what it answers without asking the person. @throws {Error} With the wallet's code and message. */
  async read<T>(method: string, params?: unknown): Promise<T> {
    return resultOf(method, await this.#send<T>(method, params));
  }

  /** Asks the wallet. Somebody else answers what it asks. */
  attempt<T>(method: string, params?: unknown): Promise<Reply<T>> {
    return this.#send<T>(method, params);
  }

  /** Asks the wallet, and rejects what it asks. @returns The wallet's error. */
  async askAndReject(method: string, params?: unknown, look?: Look): Promise<WalletError | undefined> {
    const reply = await this.metamask.reject(this.#send(method, params), look);
    return 'error' in reply ? reply.error : undefined;
  }

  /** Asks the snap as the companion page does. */
  keyring<T>(method: string, params?: object, look?: Look): Promise<T> {
    return this.ask('wallet_invokeKeyring', this.invocation(method, params), look);
  }

  /** Asks the snap as a site does. */
  snap<T>(method: string, params?: unknown, look?: Look): Promise<T> {
    return this.ask('wallet_invokeSnap', this.invocation(method, params), look);
  }

  /** Asks the snap, as a site, for something it answers without asking the person. */
  readSnap<T>(method: string, params?: unknown): Promise<T> {
    return this.read('wallet_invokeSnap', this.invocation(method, params));
  }

  /** Asks the snap, as the companion page, for something it answers without asking the person. */
  readKeyring<T>(method: string, params?: object): Promise<T> {
    return this.read('wallet_invokeKeyring', this.invocation(method, params));
  }

  /** Connects the site to exactly one account, in a dialog of the snap or of MetaMask. */
  connect(address: string, through: 'snap' | 'ask', look?: Look): Promise<unknown> {
    const caveats = [{ type: 'restrictReturnedAccounts', value: [address] }];
    return this[through]('wallet_requestPermissions', [{ eth_accounts: { caveats } }], look);
  }

  /** Has the devnet send 10 ether to an account. */
  async askFaucet(address: string): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify({ address }) };
    const { ok, status } = await fetch(new URL('faucet', this.page.url()), request);
    if (!ok) throw new Error(`The faucet sent nothing (HTTP ${status}).`);
  }

  /** The parameters of a request that MetaMask passes on to the snap. */
  invocation(method: string, params?: unknown): object {
    return { snapId: this.devnet.snapId, request: requestOf(method, params) };
  }

  #send<T>(method: string, params?: unknown): Promise<Reply<T>> {
    const request = JSON.stringify(requestOf(method, params));
    return this.page.evaluate<Reply<T>>(
      `ethereum.request(${request}).then((result) => ({ result }), ({ code, message }) => ({ error: { code, message } }))`,
    );
  }
}

function resultOf<T>(method: string, reply: Reply<T>): T {
  if ('error' in reply) throw new Error(`${method}: ${reply.error.code} ${reply.error.message}`);
  return reply.result;
}
