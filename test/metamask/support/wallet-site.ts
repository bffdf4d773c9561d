import { type Page } from 'playwright-core';

import { type Devnet } from '../../../src/companion/model/types';
import { type Look, type MetaMask } from './metamask';

/** The companion page in a browser with MetaMask, which a test asks through as a site does. */
export class WalletSite {
  readonly #metamask: MetaMask;
  readonly #page: Page;
  readonly devnet: Devnet;

  private constructor(metamask: MetaMask, page: Page, devnet: Devnet) {
    this.#metamask = metamask;
    this.#page = page;
    this.devnet = devnet;
  }

  /** @param url - Of the companion page. */
  static async open(metamask: MetaMask, url: string): Promise<WalletSite> {
    const page = await metamask.context.newPage();
    await page.goto(url);
    await page.waitForFunction('globalThis.ethereum !== undefined');
    const devnet = (await (await fetch(new URL('devnet.json', url))).json()) as Devnet;
    return new WalletSite(metamask, page, devnet);
  }

  /** Asks the wallet, and agrees to all that it asks. @throws The wallet's error. */
  ask<T>(method: string, params?: unknown, look?: Look): Promise<T> {
    const request = JSON.stringify({ method, ...(params !== undefined && { params }) });
    return this.#metamask.agree(this.#page.evaluate<T>(`ethereum.request(${request})`), look);
  }

  /** Asks the snap as the companion page does. */
  keyring<T>(method: string, params?: object, look?: Look): Promise<T> {
    const request = { method, ...(params !== undefined && { params }) };
    return this.ask('wallet_invokeKeyring', { snapId: this.devnet.snapId, request }, look);
  }

  /** Asks the snap as a site does. */
  snap<T>(method: string, params?: unknown, look?: Look): Promise<T> {
    const request = { method, ...(params !== undefined && { params }) };
    return this.ask('wallet_invokeSnap', { snapId: this.devnet.snapId, request }, look);
  }
}
