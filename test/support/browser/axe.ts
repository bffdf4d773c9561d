import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { type Page } from 'playwright-core';

const AXE = readFileSync(createRequire(join(__dirname, 'x')).resolve('axe-core/axe.min.js'), 'utf8');

/** What has a page. */
type Shown = { readonly page: Page };

type AxeResults = { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] };

/** axe is injected into the page. Other tests cover the page's own Content Security Policy. */
export const FOR_AXE = { bypassCSP: true };

/** Puts axe into the page; again after each reload. */
export const addAxe = ({ page }: Shown): Promise<unknown> => page.addScriptTag({ content: AXE });

/** @returns The violations that axe finds on the page, including the wallet's dialogs. */
async function violations({ page }: Shown): Promise<string[]> {
  const found = (await page.evaluate('axe.run()')) as AxeResults;
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** @returns How many pixels the page is wider than the window. */
const overflow = ({ page }: Shown): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** @returns The violations that axe finds now, and whether the page scrolls sideways. */
export const problemsOf = async (companion: Shown): Promise<string[]> => [
  ...(await violations(companion)),
  ...((await overflow(companion)) > 0 ? ['scrolls sideways'] : []),
];

/** A small phone, and a usual window. */
const WIDTHS = [390, 1280];

/** @returns The problems of what the page shows, on a small phone and in a usual window, by width. */
export async function problemsByWidth(companion: Shown): Promise<Readonly<Record<string, string[]>>> {
  const found: Record<string, string[]> = {};
  for (const width of WIDTHS) {
    await companion.page.setViewportSize({ width, height: 800 });
    const problems = await problemsOf(companion);
    if (problems.length > 0) found[`${width} px`] = problems;
  }
  return found;
}
