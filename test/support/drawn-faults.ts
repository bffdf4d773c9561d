import { type CDPSession, type Page } from 'playwright-core';

type Snapshot = Awaited<ReturnType<typeof snapshotOf>>;
type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
/** A text, with the box of each of its lines in pixels of the window, and the part of the window that scrolls it. */
type Drawn = { readonly text: string; readonly lines: readonly Box[]; readonly scroller: Box };
/** Part of a window: the texts in it, and those that an element hides in part. */
type Screen = { readonly frame: Box; readonly texts: readonly Drawn[]; readonly cut: readonly string[] };

/** Pixels by which rounding may let two texts touch. */
const TOUCH = 1;

/** Of the DOM. */
const TEXT_NODE = 3;

/** MetaMask folds a long `Copyable`: it fades out under a button “more”, which shows the rest. */
const FOLD = 'show-more';
const UNFOLD = 'show-more__button';

const STYLES = ['overflow-x', 'overflow-y', 'visibility'];

/** Chromium's own account of a page. It includes shadow trees, and MetaMask's pages, which forbid scripts of tests. */
async function snapshotOf(session: CDPSession) {
  const { documents, strings } = await session.send('DOMSnapshot.captureSnapshot', {
    computedStyles: STYLES,
    includeDOMRects: true,
  });
  return { ...documents[0]!, strings };
}

const boxOf = ([x = 0, y = 0, width = 0, height = 0]: readonly number[] = []): Box => ({ x, y, width, height });

/** Texts for screen readers alone are 1 px wide. */
const isSeen = ({ width, height }: Box): boolean => width > 1 && height > 1;

const classesOf = ({ nodes, strings }: Snapshot, node: number): string[] => {
  const attributes = (nodes.attributes?.[node] ?? []).map((at) => strings[at] ?? '');
  const at = attributes.findIndex((name, index) => index % 2 === 0 && name === 'class');
  return at < 0 ? [] : attributes[at + 1]!.split(/\s+/u);
};

/** The part of the page in the last element of the class that is drawn. */
function screenIn(snapshot: Snapshot, className: string): Screen {
  const { nodes, layout, textBoxes, strings } = snapshot;
  const parents = nodes.parentIndex ?? [];
  const layoutOf = new Map(layout.nodeIndex.map((node, at) => [node, at]));
  const bounds = (node: number): Box => boxOf(layout.bounds[layoutOf.get(node) ?? -1]);
  const root = parents.findLastIndex(
    (_, node) => classesOf(snapshot, node).includes(className) && isSeen(bounds(node)),
  );
  if (root < 0) throw new Error(`Nothing of the class ${className} is shown.`);
  // Parents come before their children.
  const inside = new Set([root]);
  for (const [node, parent] of parents.entries()) if (inside.has(parent)) inside.add(node);

  const isIn = (node: number, ancestor: number): boolean =>
    node === ancestor || (node > ancestor && isIn(parents[node]!, ancestor));
  const folds = [...inside].filter((node) => classesOf(snapshot, node).includes(FOLD));
  const unfolds = [...inside].filter((node) => classesOf(snapshot, node).includes(UNFOLD));
  const unfolded = (node: number, lines: readonly Box[]): Box[] => {
    const fold = folds.find((one) => isIn(node, one));
    if (fold === undefined) return [...lines];
    const { y, height } = bounds(fold);
    return lines.filter((line) => line.y + line.height <= y + height + TOUCH);
  };

  const linesOf = new Map<number, Box[]>();
  for (const [index, at] of textBoxes.layoutIndex.entries())
    linesOf.set(at, [...(linesOf.get(at) ?? []), boxOf(textBoxes.bounds[index])]);
  const scrollerOf = (node: number): Box => {
    const [overflowX, overflowY] = (layout.styles[layoutOf.get(node) ?? -1] ?? []).map((style) => strings[style]!);
    const scrolls = [overflowX, overflowY].some((overflow) => overflow === 'auto' || overflow === 'scroll');
    return scrolls || node === root ? bounds(node) : scrollerOf(parents[node]!);
  };
  const texts = new Map<number, Drawn>();
  const cut: number[] = [];
  for (const [at, node] of layout.nodeIndex.entries()) {
    if (!inside.has(node)) continue;
    const styles = layout.styles[at]!.map((style) => strings[style]!);
    const [overflowX, overflowY, visibility] = styles;
    const [shown, whole] = [boxOf(layout.clientRects?.[at]), boxOf(layout.scrollRects?.[at])];
    const hides = (overflow: string | undefined): boolean => overflow === 'hidden' || overflow === 'clip';
    if (unfolds.some((one) => isIn(node, one))) continue;
    if (
      isSeen(shown) &&
      !folds.includes(node) &&
      ((hides(overflowX) && whole.width > shown.width + TOUCH) ||
        (hides(overflowY) && whole.height > shown.height + TOUCH))
    )
      cut.push(node);
    const text = strings[layout.text[at] ?? -1]?.trim() ?? '';
    const parent = parents[node]!;
    // Not those that a style sheet adds.
    if (nodes.nodeType?.[node] !== TEXT_NODE) continue;
    if (text === '' || visibility === 'hidden' || !isSeen(bounds(parent))) continue;
    const drawn = texts.get(parent) ?? { text: '', lines: [], scroller: scrollerOf(parent) };
    texts.set(parent, {
      ...drawn,
      text: `${drawn.text}${text}`,
      lines: [...drawn.lines, ...unfolded(node, linesOf.get(at) ?? [])],
    });
  }
  const hidden = cut.flatMap((node) => [...texts].filter(([parent]) => isIn(parent, node)).map(([, { text }]) => text));
  return { frame: bounds(root), texts: [...texts.values()], cut: [...new Set(hidden)] };
}

async function screenOf(page: Page, className: string): Promise<Screen> {
  const session = await page.context().newCDPSession(page);
  try {
    return screenIn(await snapshotOf(session), className);
  } finally {
    await session.detach();
  }
}

const overlap = (a: number, sizeA: number, b: number, sizeB: number): number =>
  Math.min(a + sizeA, b + sizeB) - Math.max(a, b);

const isSame = (a: Box, b: Box): boolean => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/** The lines of a text as they are seen beside another one: if that one stays, only what is scrolled into sight. */
const seenBeside = ({ lines, scroller }: Drawn, other: Drawn): readonly Box[] => {
  if (isSame(scroller, other.scroller)) return lines;
  const [top, bottom] = [scroller.y, scroller.y + scroller.height];
  return lines.map(({ y, height, ...line }) => {
    const start = Math.max(y, top);
    return { ...line, y: start, height: Math.min(y + height, bottom) - start };
  });
};

const areOverprinted = (a: Drawn, b: Drawn): boolean =>
  seenBeside(a, b).some((one) =>
    seenBeside(b, a).some(
      (other) =>
        overlap(one.x, one.width, other.x, other.width) > TOUCH &&
        overlap(one.y, one.height, other.y, other.height) > TOUCH,
    ),
  );

/**
 * Finds what is visibly wrong with a screen as a browser draws it, in the simulated wallet or in MetaMask: texts
 * printed over each other, texts that leave the screen at the side, and texts of which a part is hidden.
 *
 * @param className - Of the part of the window in which the snap draws.
 * @returns One sentence for each fault, with the texts.
 */
export async function drawnFaults(page: Page, className: string): Promise<string[]> {
  const { frame, texts, cut } = await screenOf(page, className);
  if (texts.length === 0) throw new Error('The screen has no texts.');
  const right = Math.min(frame.x + frame.width, page.viewportSize()?.width ?? Infinity);
  const outside = texts
    .filter(({ lines }) => lines.some(({ x, width }) => x + width > right + TOUCH || x < frame.x - TOUCH))
    .map(({ text }) => `“${text}” leaves the screen`);
  const overprinted = texts.flatMap((a, index) =>
    texts
      .slice(index + 1)
      .filter((b) => areOverprinted(a, b))
      .map((b) => `“${a.text}” and “${b.text}” are printed over each other`),
  );
  return [...outside, ...cut.map((text) => `“${text}” is cut`), ...overprinted];
}
