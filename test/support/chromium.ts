import { existsSync } from 'node:fs';

import { type Browser, chromium } from 'playwright-core';

/** The path in Debian's package. */
const PROGRAM = '/usr/bin/chromium';

/** Describes tests that need a browser. Without one, each is skipped by name. */
export function describeWithChromium(name: string, tests: () => void): void {
  if (existsSync(PROGRAM)) describe(name, tests);
  else describe.skip(`${name} (skipped: ${PROGRAM} is not installed)`, tests);
}

/** Starts it headless. Root can run it only without its sandbox. @param args - More switches of Chromium. */
export const startChromium = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox', ...args] });
