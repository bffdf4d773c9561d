import { isDue } from '../../../../../src/core/safe/recovery/finding';

test('a key is to be tried again a year after it was seen, or if it never was', () => {
  const year = 365 * 86_400;
  const now = BigInt(3 * year);
  expect([undefined, 0, 2 * year - 1, 2 * year, 2 * year + 1, 3 * year].map((seen) => isDue(seen, now))).toEqual([
    ...[true, true, true, false, false, false],
  ]);
});
