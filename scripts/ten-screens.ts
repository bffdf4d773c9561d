import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { startChromium } from '../test/support/chromium';
import { Companion } from '../test/support/browser/companion';
import { startDevnet } from './screenshots/devnet';
import { Camera } from './screenshots/picture';
import { takeTen, TEN, WIDTHS } from './screenshots/ten';

/**
 * Ten screens of the page at three widths. `tsx scripts/ten-screens.ts FOLDER` takes the pictures from the real page on
 * a real devnet. `tsx scripts/ten-screens.ts --compare BEFORE AFTER` puts those of two versions side by side, one sheet
 * a screen, in the docs.
 */

const dataUrl = (path: string): string => `data:image/webp;base64,${readFileSync(path).toString('base64')}`;

/** A sheet with the pictures of a screen, each version in a row. */
const sheetOf = (screen: string, folders: readonly (readonly [string, string])[]): string => `<!doctype html><style>
  body { margin: 0; padding: 16px; background: #999; font: 600 18px sans-serif; }
  .row { display: flex; gap: 12px; align-items: flex-start; margin-bottom: 12px; }
  img { display: block; box-shadow: 0 0 4px #333; }
</style>${folders
  .map(
    ([title, folder]) =>
      `<p>${title}</p><div class="row">${WIDTHS.map(
        (width) => `<img width="${width / 2}" src="${dataUrl(join(folder, `${screen}-${width}.webp`))}">`,
      ).join('')}</div>`,
  )
  .join('')}`;

async function compare(before: string, after: string): Promise<void> {
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    const camera = new Camera(page, 'before-after');
    for (const screen of TEN) {
      await page.setContent(
        sheetOf(screen, [
          ['Before', before],
          ['Now', after],
        ]),
        { waitUntil: 'load' },
      );
      await camera.take(screen, { width: 1080, least: 200 }, 'light');
    }
  } finally {
    await browser.close();
  }
}

async function take(folder: string): Promise<void> {
  const devnet = await startDevnet([]);
  const browser = await startChromium();
  try {
    await takeTen(await Companion.open(browser, devnet.url, { timezoneId: 'UTC', locale: 'en-GB' }), folder);
  } finally {
    await browser.close();
    await devnet.stop();
  }
}

const [first = '', ...others] = process.argv.slice(2);
if (first === '--compare') await compare(resolve(others[0] ?? ''), resolve(others[1] ?? ''));
else await take(resolve(first));
