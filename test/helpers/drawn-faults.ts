import { type Locator } from 'playwright-core';

type Drawn = {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** Texts without elements in them. Works in shadow trees, and in MetaMask's pages, which forbid scripts of tests. */
const LEAVES = ':is(p, span, b, i, code, pre, a, h1, h2, h3, h4, h5, h6, summary, strong, small):not(:has(*))';

/** Pixels by which rounding and the slope of letters may let two texts touch. */
const TOUCH = 2;

const overlap = (a: number, sizeA: number, b: number, sizeB: number): number =>
  Math.min(a + sizeA, b + sizeB) - Math.max(a, b);

/** The texts of a screen, each with its box in pixels of the window. Hidden ones are left out. */
async function drawnTexts(screen: Locator): Promise<Drawn[]> {
  const drawn: Drawn[] = [];
  for (const leaf of await screen.locator(LEAVES).all()) {
    const box = await leaf.boundingBox();
    // Texts for screen readers alone are 1 px wide.
    if (box === null || box.width <= 1 || box.height <= 1) continue;
    const text = (await leaf.innerText()).trim();
    if (text !== '') drawn.push({ text, ...box });
  }
  return drawn;
}

/**
 * Finds what is visibly wrong with a screen as a browser draws it, in the simulated wallet or in MetaMask: texts printed over each
 * other, and texts that leave the screen at the side.
 *
 * @param screen - The part of the window in which the snap draws.
 * @returns One sentence for each fault, with the texts.
 */
export async function drawnFaults(screen: Locator): Promise<string[]> {
  const frame = await screen.boundingBox();
  if (frame === null) throw new Error('The screen is not shown.');
  const texts = await drawnTexts(screen);
  if (texts.length === 0) throw new Error('The screen has no texts.');
  const outside = texts
    .filter(({ x, width }) => x + width > frame.x + frame.width + TOUCH || x < frame.x - TOUCH)
    .map(({ text }) => `“${text}” leaves the screen`);
  const overprinted = texts.flatMap((a, index) =>
    texts
      .slice(index + 1)
      .filter((b) => overlap(a.x, a.width, b.x, b.width) > TOUCH && overlap(a.y, a.height, b.y, b.height) > TOUCH)
      .map((b) => `“${a.text}” and “${b.text}” are printed over each other`),
  );
  return [...outside, ...overprinted];
}

/** @returns The pixels between two texts of a screen, from the end of the first to the start of the second. */
export async function gapBetween(screen: Locator, before: string, after: string): Promise<number> {
  const texts = await drawnTexts(screen);
  const [a, b] = [before, after].map((wanted) => texts.find(({ text }) => text === wanted));
  if (a === undefined || b === undefined) throw new Error(`Not shown: ${a === undefined ? before : after}`);
  return b.y - (a.y + a.height);
}
