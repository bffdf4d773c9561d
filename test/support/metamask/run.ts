import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Page } from 'playwright-core';
import { type Hex, type PublicClient } from 'viem';

import { MINIMUM_METAMASK_VERSION } from '../../../src/core/minimum-wallet';
import { type Devnet } from '../../../src/companion/model/types';
import { devnetOf, nodeOf } from '../browser/devnet-node';
import { startWorld, type World } from '../browser/world';
import { cleanUp } from '../devnet/npm-start';
import { drawnFaults } from '../drawn-faults';
import { MetaMask, SNAP_SCREEN } from './metamask';
import { type ServedSnap, serveForOlderWallet } from './snap-server';
import { WalletSite } from './wallet-site';

/** A snap's account. */
export type Created = { readonly id: string; readonly address: Hex };

/** What the tests call the accounts, and how each is created. */
export const KINDS = {
  // The first one can sign nothing for sites, so that recommending the first one is wrong.
  'a SimpleAccount 0.7': { type: 'eip155:erc4337', entryPointVersion: '0.7' },
  'a standard account': { type: 'eip155:eoa' },
  'a Safe': { type: 'eip155:erc4337', kind: 'safe-0.7' },
  'a SimpleAccount 0.6': { type: 'eip155:erc4337', entryPointVersion: '0.6' },
  'a SimpleAccount 0.8': { type: 'eip155:erc4337', entryPointVersion: '0.8' },
} as const;
export type Kind = keyof typeof KINDS;

type Wallet = { readonly name: string; readonly isOld: boolean };

/** Reads which MetaMask is in a folder. */
function walletIn(folder: string): Wallet {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Record<string, string>;
  const [major = 0, minor = 0] = version!.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = MINIMUM_METAMASK_VERSION.split('.').map(Number);
  const isOld = major < leastMajor || (major === leastMajor && minor < leastMinor);
  return { name: `${name!} ${version!}`, isOld };
}

/** One wallet that is set up once, and what the tests have made in it. */
export class Run {
  readonly created = new Map<Kind, Created>();
  /** Of the unpacked extension. */
  readonly folder: string;
  readonly wallet: Wallet;
  /** What is wrong with our screens, as MetaMask drew them. */
  readonly faults: string[] = [];
  /** Whether several steps use one dialog, which stays open when one of them fails. */
  sharesDialog = false;
  readonly #profile = mkdtempSync(join(tmpdir(), 'keystead-metamask-'));
  #world: World | undefined;
  #devnet: Devnet | undefined;
  #metamask: MetaMask | undefined;
  #site: WalletSite | undefined;
  #changed: ServedSnap | undefined;

  /** @param folder - Of the unpacked extension. */
  constructor(folder: string) {
    this.folder = folder;
    this.wallet = walletIn(folder);
  }

  get world(): World {
    return there(this.#world, 'The devnet did not start');
  }

  get metamask(): MetaMask {
    return there(this.#metamask, 'MetaMask did not start');
  }

  /** The companion page. */
  get site(): WalletSite {
    return there(this.#site, 'MetaMask was not set up');
  }

  get node(): Promise<PublicClient> {
    return nodeOf(this.world);
  }

  /** @throws If the test that creates it failed. */
  account(kind: Kind): Created {
    return there(this.created.get(kind), `“creates ${kind}” failed before`);
  }

  address(kind: Kind): Hex {
    return this.account(kind).address;
  }

  /** Starts the devnet, and has MetaMask import the test phrase. */
  async start(): Promise<void> {
    this.#world = await startWorld();
    this.#devnet = await devnetOf(this.#world);
    if (this.wallet.isOld) {
      this.#changed = await serveForOlderWallet(this.#devnet.snapId);
      this.#devnet = { ...this.#devnet, snapId: this.#changed.snapId };
    }
    await this.open();
  }

  /** Opens the browser and the companion page, with the profile of before. */
  async open(): Promise<void> {
    this.#metamask = await MetaMask.open(this.folder, this.#profile);
    await this.#metamask.start();
    this.#site = await this.visit(this.world.url);
  }

  /** Opens a page in another tab. */
  visit(url: string): Promise<WalletSite> {
    return WalletSite.open(this.metamask, url, there(this.#devnet, 'The devnet did not start'));
  }

  /** Rejects what a failed step has left open in the wallet, so that it fails no other step. */
  async endFailed(): Promise<void> {
    if (this.#metamask !== undefined && !this.sharesDialog) await this.#metamask.rejectAll();
  }

  async stop(): Promise<void> {
    await this.#metamask?.close();
    await this.#changed?.stop();
    await this.#world?.stop();
    await cleanUp();
    rmSync(this.#profile, { recursive: true, force: true });
  }

  /** Looks at a screen of the snap before it is approved. */
  readonly look = async (page: Page): Promise<void> => {
    if (await page.locator(`.${SNAP_SCREEN}`).filter({ visible: true }).first().isVisible())
      this.faults.push(...(await drawnFaults(page, SNAP_SCREEN)));
  };
}

function there<T>(value: T | undefined, otherwise: string): T {
  if (value === undefined) throw new Error(`${otherwise}.`);
  return value;
}
