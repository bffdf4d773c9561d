import { type BlockRange, countBlocks, newestGap, upTo, withRange } from '../../../../src/core/ledger/searched';

/** Ranges as "from-to". */
const ranges = (text: string): BlockRange[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((range) => range.split('-').map(BigInt) as [bigint, bigint])
    .map(([from, to]) => ({ from, to }));
const asText = (found: readonly BlockRange[]): string => found.map(({ from, to }) => `${from}-${to}`).join(' ');

describe('ranges of blocks', () => {
  it.each([
    ['', '5-9', '5-9'],
    ['10-19', '0-8', '0-8 10-19'],
    ['10-19', '0-9', '0-19'],
    ['10-19', '0-10', '0-19'],
    ['10-19', '20-29', '10-29'],
    ['10-19', '19-29', '10-29'],
    ['10-19', '21-29', '10-19 21-29'],
    ['10-19', '12-15', '10-19'],
    ['10-19', '10-19', '10-19'],
    ['10-19', '5-25', '5-25'],
    ['0-3 10-19 30-39', '20-29', '0-3 10-39'],
    ['0-3 10-19 30-39', '21-28', '0-3 10-19 21-28 30-39'],
    ['0-3 10-19 30-39', '4-29', '0-39'],
    ['0-3 10-19 30-39', '15-30', '0-3 10-39'],
  ])('that are %j and %s become one where they touch', (before, added, after) => {
    expect(asText(withRange(ranges(before), ranges(added)[0]!))).toBe(after);
  });

  it.each([
    [9n, ''],
    [10n, '10-10'],
    [18n, '10-18'],
    [19n, '10-19'],
    [29n, '10-19'],
    [30n, '10-19 30-30'],
    [50n, '10-19 30-39'],
  ])('end at block %s', (last, left) => {
    expect(asText(upTo(ranges('10-19 30-39'), last))).toBe(left);
  });

  it.each([
    ['', 9n, 100n, '0-9'],
    ['', 9n, 10n, '0-9'],
    ['', 9n, 9n, '1-9'],
    ['', 9n, 1n, '9-9'],
    ['', 0n, 1n, '0-0'],
    ['0-9', 9n, 5n, ''],
    ['0-8', 9n, 5n, '9-9'],
    ['1-9', 9n, 5n, '0-0'],
    ['2-9', 9n, 5n, '0-1'],
    ['0-2 8-9', 9n, 5n, '3-7'],
    ['0-2 8-9', 9n, 4n, '4-7'],
    ['0-2 8-9', 7n, 9n, '3-7'],
    ['0-2 8-9', 8n, 9n, '3-7'],
    ['0-2 4-6 8-9', 9n, 9n, '7-7'],
    ['0-2 4-9', 9n, 9n, '3-3'],
    ['0-20', 9n, 9n, ''],
    ['5-20', 9n, 9n, '0-4'],
    ['10-20', 9n, 9n, '1-9'],
  ])('that are %j leave up to block %s, at most %s at once, the gap %j', (done, last, most, gap) => {
    const found = newestGap(ranges(done), last, most);
    expect(asText(found === undefined ? [] : [found])).toBe(gap);
  });

  it('have both ends counted', () => {
    expect(['', '5-5', '0-9', '0-9 20-21'].map((text) => countBlocks(ranges(text)))).toEqual([0n, 1n, 10n, 12n]);
  });
});
