import { type Browser, type BrowserContextOptions } from 'playwright-core';

import { cleanUp } from '../devnet/npm-start';
import { startChromium } from '../chromium';
import { Companion } from './companion';
import { describeWithDevnet, startWorld, type World } from './world';

/** Shared by the tests of a file: one devnet and one browser. Each test opens its own browser profile. */
export class Fixture {
  readonly world: World;
  readonly #browser: Browser;
  readonly #opened: Companion[] = [];

  private constructor(world: World, browser: Browser) {
    this.world = world;
    this.#browser = browser;
  }

  static async start(): Promise<Fixture> {
    return new Fixture(...(await Promise.all([startWorld(), startChromium()])));
  }

  /** @param url - Defaults to the companion page. */
  async open(options: BrowserContextOptions = {}, url = this.world.url): Promise<Companion> {
    return this.#keep(await Companion.open(this.#browser, url, options));
  }

  /** Opens the page with the snap installed and the network and storage set up. */
  async ready(options: BrowserContextOptions = {}): Promise<Companion> {
    return this.#keep(await Companion.ready(this.#browser, this.world.url, options));
  }

  #keep(companion: Companion): Companion {
    this.#opened.push(companion);
    return companion;
  }

  /** @returns The faults of the pages that were open. */
  async closePages(): Promise<string[]> {
    const closed = this.#opened.splice(0);
    for (const companion of closed) await companion.close();
    return closed.flatMap(({ faults }) => faults);
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.world.stop();
    await cleanUp();
  }
}

let shared: Promise<Fixture> | undefined;

afterAll(async () => {
  const starting = shared;
  shared = undefined;
  await (await starting)?.stop();
});

/**
 * Describes tests of the companion page. Each test also fails if its pages have faults: see {@link Companion.faults}.
 *
 * @param tests - Receives a function that returns the fixture; call it only inside tests and hooks.
 */
export function describeCompanion(name: string, tests: (fixture: () => Fixture) => void): void {
  describeWithDevnet(name, () => {
    let fixture: Fixture;
    beforeAll(async () => {
      fixture = await (shared ??= Fixture.start());
    }, 300_000);
    afterEach(async () => {
      expect(await fixture.closePages()).toEqual([]);
    });
    tests(() => fixture);
  });
}
