import { FIGURES, staleFigures, staleIn } from '../../scripts/figures';
import { pageWeight } from '../../scripts/page-weight';

/** Gzipped bytes of what the first screen loads, and of all views together; both with the wallet, without the snap. */
const FIRST_SCREEN = 82_000;
// The decoder, the judge and the simulation of the snap are part of it: the page explains what is signed without the
// snap.
const ALL_VIEWS = 356_500;

describe('the figures in the docs', () => {
  it('are those of the builds (`npm run figures` writes them)', () => {
    expect(FIGURES.length).toBeGreaterThanOrEqual(9);
    expect(staleFigures()).toEqual([]);
  });

  const figure = { file: 'a.md', sentence: /(\d+) kB with gzip, (\d+) kB without/u, now: () => ['7', '12'] };

  it.each([
    ['7 kB with gzip, 12 kB without', undefined, undefined],
    [
      'It is 7 kB with gzip, 13 kB without.',
      'a.md says 7, 13, the build 7, 12: 7 kB with gzip, 13 kB without',
      'It is 7 kB with gzip, 12 kB without.',
    ],
    [
      '12 kB with gzip, 12 kB without',
      'a.md says 12, 12, the build 7, 12: 12 kB with gzip, 12 kB without',
      '7 kB with gzip, 12 kB without',
    ],
    ['small', 'a.md has no sentence /(\\d+) kB with gzip, (\\d+) kB without/u', 'small'],
  ])('%s', (text, problem, corrected) => {
    expect(staleIn(text, figure)).toEqual(problem === undefined ? undefined : { problem, corrected });
  });
});

describe('the companion page', () => {
  it('stays within its size budget', () => {
    const { first, all } = pageWeight();
    expect(first).toBeLessThan(FIRST_SCREEN);
    expect(all).toBeLessThan(ALL_VIEWS);
    // Guard against measuring an empty page.
    expect(first).toBeGreaterThan(30_000);
    expect(all - first).toBeGreaterThan(30_000);
  });
});
