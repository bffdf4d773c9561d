import { startChromium } from '../test/support/chromium';
import { startDevnet } from './screenshots/devnet';
import { walkPasskeys } from './recovery/passkey-ways';
import { walkPhrase } from './recovery/phrase-ways';
import { Walk } from './recovery/walk';

/**
 * Walks every way back to an account, and every drill, on the page with the simulated wallet and a new devnet, and
 * prints a table: `tsx scripts/walk-recovery.ts`. What follows is passed to the devnet.
 *
 * Clicks and fields are counted in the page. Only its links and buttons are used, and links that somebody was sent. It
 * fails if hex is typed (only the ways by the address paste it), if settings are edited, or if a way ends in an error.
 */

const devnet = await startDevnet(process.argv.slice(2));
const browser = await startChromium();
try {
  const walk = new Walk(browser, devnet.url);
  await walkPhrase(walk);
  await walkPasskeys(walk);
  console.log(walk.table());
} finally {
  await browser.close();
  await devnet.stop();
}
