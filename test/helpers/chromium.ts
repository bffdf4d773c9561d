import { existsSync } from 'node:fs';

import { type Browser, chromium } from 'playwright-core';

/** Where Debian's package puts it. */
const PROGRAM = '/usr/bin/chromium';

/** Describes tests that need a browser: without one each is skipped by name. */
export function describeWithChromium(name: string, tests: () => void): void {
  if (existsSync(PROGRAM)) describe(name, tests);
  else describe.skip(`${name} (skipped: ${PROGRAM} is not installed)`, tests);
}

/** Starts it without a window. Root may run it without its sandbox only. */
export const startChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox'] });
