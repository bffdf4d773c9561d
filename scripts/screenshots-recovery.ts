import { startChromium } from '../test/support/chromium';
import { startDevnet } from './screenshots/devnet';
import { takeRecovery } from './screenshots/recovery';

/**
 * Takes the pictures of one recovery from the real page and snap on a new devnet:
 * `tsx scripts/screenshots-recovery.ts`.
 * What follows is passed to the devnet.
 */

const devnet = await startDevnet(process.argv.slice(2));
const browser = await startChromium();
try {
  await takeRecovery(browser, devnet.url);
} finally {
  await browser.close();
  await devnet.stop();
}
