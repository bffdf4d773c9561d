import { isBundlerInstalled } from '../../../src/devnet/bundler';
import { freePortBase, type NpmStart, npmStart } from '../devnet/npm-start';
import { describeWithChromium } from '../chromium';

/** A running devnet, exactly as `npm start` starts it. */
export type World = { readonly url: string; readonly origin: string; readonly stop: () => Promise<void> };

async function ended(devnet: NpmStart): Promise<void> {
  devnet.interrupt();
  await devnet.ended;
}

/** Runs `npm start` on free ports. */
export async function startWorld(): Promise<World> {
  const base = await freePortBase();
  const devnet = npmStart('--port-base', String(base));
  const [, url] = await devnet.until(/^Keystead page {2}(http:\S+)$/mu);
  return { url: url!, origin: new URL(url!).origin, stop: () => ended(devnet) };
}

/**
 * Describes browser tests that need the whole devnet. They are skipped by name without Chromium or the bundler, which
 * `npm start` installs once.
 */
export function describeWithDevnet(name: string, tests: () => void): void {
  if (isBundlerInstalled()) describeWithChromium(name, tests);
  else describe.skip(`${name} (skipped: the bundler is not installed)`, tests);
}
