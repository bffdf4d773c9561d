import { isBundlerInstalled } from '../../../src/devnet/bundler';
import { freePortBase, type NpmStart, npmStart } from '../../devnet/support/npm-start';

/** What the tests in the browser need of a bundler. It is installed apart; `npm start` does it once. */
export const HAS_BUNDLER = isBundlerInstalled();

/** A running devnet: what `npm start` starts, and nothing else. */
export type World = { readonly url: string; readonly origin: string; readonly stop: () => Promise<void> };

async function ended(devnet: NpmStart): Promise<void> {
  devnet.interrupt();
  await devnet.ended;
}

/** Runs `npm start` on free ports. */
export async function startWorld(): Promise<World> {
  const base = await freePortBase();
  const devnet = npmStart('--port-base', String(base), ...(HAS_BUNDLER ? [] : ['--no-bundler']));
  const [, url] = await devnet.until(/^Companion page {2}(http:\S+)$/mu);
  return { url: url!, origin: new URL(url!).origin, stop: () => ended(devnet) };
}

/** Tests that need a bundler: without one each is skipped by name. */
export function describeWithBundler(name: string, tests: () => void): void {
  if (HAS_BUNDLER) describe(name, tests);
  else describe.skip(`${name} (skipped: the bundler is not installed)`, tests);
}
