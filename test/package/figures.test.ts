import { cellOf, oneCommit } from '../../scripts/benchmark-figures';
import { sentence, staleIn } from '../../scripts/figure';
import { FIGURES, staleFigures } from '../../scripts/figures';
import { pageWeight } from '../../scripts/page-weight';

/** Gzipped bytes of what the first screen loads, and of all views together; both with the wallet, without the snap. */
const FIRST_SCREEN = 84_000;
// The decoder, the judge and the simulation of the snap are part of it: the page explains what is signed without the
// snap.
const ALL_VIEWS = 443_500;

describe('the figures in the docs', () => {
  it('are those of the builds and of the tables of the benchmark (`npm run figures` writes them)', () => {
    expect(FIGURES.length).toBeGreaterThanOrEqual(25);
    expect(staleFigures()).toEqual([]);
  });

  const figure = { file: 'a.md', sentence: /(\d+) kB with gzip, (\d+) kB without/u, now: () => ['7', '12'] };

  it.each([
    ['7 kB with gzip, 12 kB without', undefined, undefined],
    [
      'It is 7 kB with gzip, 13 kB without.',
      'a.md says 7, 13, now it is 7, 12: 7 kB with gzip, 13 kB without',
      'It is 7 kB with gzip, 12 kB without.',
    ],
    [
      '12 kB with gzip, 12 kB without',
      'a.md says 12, 12, now it is 7, 12: 12 kB with gzip, 12 kB without',
      '7 kB with gzip, 12 kB without',
    ],
    ['small', 'a.md has no sentence /(\\d+) kB with gzip, (\\d+) kB without/u', 'small'],
  ])('%s', (text, problem, corrected) => {
    expect(staleIn(text, figure)).toEqual(problem === undefined ? undefined : { problem, corrected });
  });
});

describe('a sentence with figures', () => {
  it('is found however it is wrapped, and corrected where it differs, though its numbers stand elsewhere in it', () => {
    const figure = { file: 'a.md', sentence: sentence('At 4 it is #, at 64 # (1 thread).'), now: () => ['7', '1,064'] };
    expect(staleIn('See: At 4 it is\n4, at 64 64 (1 thread).', figure)?.corrected).toBe(
      'See: At 4 it is\n7, at 64 1,064 (1 thread).',
    );
    expect(staleIn('At 4 it is 7, at 64 1,064 (1 thread).', figure)).toBeUndefined();
  });

  it('can be a row, of which some cells are not looked at', () => {
    const figure = { file: 'a.md', sentence: sentence('| a | ~ | # |'), now: () => ['0.5'] };
    expect(staleIn('| a   |    – |  2.5 |\n| b | 1 | 2 |', figure)?.corrected).toBe(
      '| a   |    – |  0.5 |\n| b | 1 | 2 |',
    );
  });
});

describe("the benchmark's tables", () => {
  const measured = (commit: string): string =>
    `Written by \`npm run bench\`. Measured at commit ${commit}, 2026-11-27.`;

  it('are of one commit, without changes', () => {
    expect(oneCommit([measured('01234567'), measured('01234567')])).toBe('01234567');
    expect(() => oneCommit([measured('01234567'), measured('89abcdef')])).toThrow('they are of 01234567; 89abcdef');
    expect(() => oneCommit([measured('01234567 with changes')])).toThrow('they are of 01234567 with changes');
    expect(() => oneCommit(['| a | b |'])).toThrow('they are of no commit');
  });

  it('have a cell by its column and its row, whichever table has both', () => {
    const page = [
      '| Snap | gzip |',
      '| --- | ---: |',
      '| ours | 7 |',
      '',
      '| Snap | boot |',
      '| --- | ---: |',
      '| ours | 9 |',
    ];
    expect([cellOf(page.join('\n'), 'gzip', 'ours'), cellOf(page.join('\n'), 'boot', 'ours')]).toEqual(['7', '9']);
    for (const [column, row] of [
      ['boot', 'theirs'],
      ['raw', 'ours'],
      ['gzip', 'Snap'],
    ] as const)
      expect(() => cellOf(page.join('\n'), column, row)).toThrow(`no row "${row}" with a column "${column}"`);
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
