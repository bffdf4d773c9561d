import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { type Locator, type Page } from 'playwright-core';

/** Where the pictures in the docs are. */
export const PICTURES = join(import.meta.dirname, '../../docs/images');

type Scheme = 'light' | 'dark';
type Cut = { readonly most: number; readonly keep: 'start' | 'end' };
type Size = { readonly width: number; readonly least: number };

/** The heights, in CSS pixels, that a picture of each width has at least, and that all have at most. */
export const SMALL_PHONE: Size = { width: 360, least: 640 };
export const PHONE: Size = { width: 390, least: 844 };
export const DESKTOP: Size = { width: 1280, least: 800 };
const MOST = 2600;

/** Lossy, but text stays sharp at a third of the size of a PNG. */
const QUALITY = 70;

/** The height that shows all of the page, and all of an open dialog, without scrolling. */
const NEEDED = `(() => {
  const open = [...document.querySelectorAll('*')]
    .flatMap(({ shadowRoot }) => (shadowRoot === null ? [] : [...shadowRoot.querySelectorAll('dialog[open]')]))
    .at(-1);
  if (open === undefined) return document.documentElement.scrollHeight;
  const body = open.querySelector('.body');
  return open.offsetHeight + body.scrollHeight - body.clientHeight + 34;
})()`;

/** Takes pictures of a page as WebP, which Chromium encodes itself. */
export class Camera {
  readonly #page: Page;
  readonly #folder: string;
  readonly #quality: number;

  /** @param folder - Below {@link PICTURES}, or an absolute path. */
  constructor(page: Page, folder: string, quality = QUALITY) {
    this.#page = page;
    this.#folder = resolve(PICTURES, folder);
    this.#quality = quality;
  }

  /**
   * Takes one picture, high enough to show everything.
   *
   * @param part - The part of the page to show. Default: all of it.
   * @param cut - The height in CSS pixels that is kept of a higher part, and which end of it.
   */
  async take(name: string, { width, least }: Size, scheme: Scheme, part?: Locator, cut?: Cut): Promise<void> {
    const page = this.#page;
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    const session = await page.context().newCDPSession(page);
    // Phones draw scrollbars over the page, and here everything fits.
    await page.evaluate("document.documentElement.style.scrollbarGutter = 'auto'");
    await page.setViewportSize({ width, height: least });
    const needed: number = await page.evaluate(NEEDED);
    await page.setViewportSize({ width, height: Math.min(Math.max(least, needed), MOST) });
    // Two frames later, the new size and colours are painted.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    // A clip counts from the top of the page, a box from the top of what is shown.
    await page.evaluate('scrollTo(0, 0)');
    const box = await part?.boundingBox();
    const kept = Math.min(box?.height ?? 0, cut?.most ?? MOST);
    const above = box && cut?.keep === 'end' ? box.height - kept : 0;
    const clip = box && { ...box, y: box.y + above, height: kept, scale: 1 };
    const options = { format: 'webp', quality: this.#quality, ...(clip && { clip }) } as const;
    const { data } = await session.send('Page.captureScreenshot', options);
    await session.detach();
    const path = join(this.#folder, `${name}.webp`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Buffer.from(data, 'base64'));
  }
}
