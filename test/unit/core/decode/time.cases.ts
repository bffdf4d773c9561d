import { isNever, parseTime, utcTime } from '../../../../src/core/decode/words/time';

describe('times', () => {
  it('match those of JavaScript over the centuries', () => {
    const wrong: string[] = [];
    for (let seconds = 0; seconds < 253_402_300_800; seconds += 86_400 * 97 + 12_345) {
      const written = new Date(seconds * 1000).toISOString();
      if (utcTime(BigInt(seconds)) !== `${written.slice(0, 10)} ${written.slice(11, 19)} UTC`) wrong.push(written);
      if (parseTime(written) !== BigInt(seconds)) wrong.push(written);
    }
    expect(wrong).toEqual([]);
  });

  it('after the year 9999 have no date', () => {
    expect(utcTime(253_402_300_799n)).toBe('9999-12-31 23:59:59 UTC');
    expect(utcTime(253_402_300_800n)).toBe('never');
    expect(utcTime((1n << 256n) - 1n)).toBe('never');
  });

  it('are parsed with their time zone', () => {
    expect(parseTime('2021-09-30T16:25:24-02:00')).toBe(BigInt(Date.parse('2021-09-30T16:25:24-02:00')) / 1000n);
    expect(parseTime('2021-09-30T16:25:24.5+05:30')).toBe(BigInt(Date.parse('2021-09-30T16:25:24+05:30')) / 1000n);
    expect(parseTime('1969-12-31T23:59:59Z')).toBe(-1n);
  });

  it('are parsed with "T" and "Z" in either case', () => {
    for (const written of ['2026-09-01t10:00:00z', '2026-09-01T10:00:00z', '2026-09-01t10:00:00Z'])
      expect(parseTime(written)).toBe(BigInt(Date.parse('2026-09-01T10:00:00Z')) / 1000n);
    expect(parseTime('2026-09-01t10:00:00.5+02:00')).toBe(BigInt(Date.parse('2026-09-01T08:00:00Z')) / 1000n);
    for (const written of ['2026-09-01 10:00:00Z', '2026-09-01\u017f10:00:00Z', '2026-09-01T10:00:00\u2124'])
      expect(parseTime(written)).toBeUndefined();
  });

  it('more than ten years away count as never', () => {
    expect(isNever(365n * 86_400n, 0n)).toBe(false);
    expect(isNever((1n << 48n) - 1n, 1_767_225_600n)).toBe(true);
  });

  it.each([
    ['2026-01-01T00:00:60Z', true],
    ['2026-01-01T00:00:61Z', false],
    ['2026-01-01T00:00:00+23:59', true],
    ['2026-01-01T00:00:00+24:00', false],
    ['2026-01-01T00:00:00+00:60', false],
    ['2026-02-30T00:00:00Z', false],
  ])('are parsed if there is such a time: %s', (written, isOne) => {
    expect(parseTime(written) !== undefined).toBe(isOne);
  });
});
