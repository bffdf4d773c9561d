import { growth, soak } from '../support/service/soak';

/*
 * The short form of `npm run soak`. Memory is bounded, not timed: from the end of the first quarter, when code is
 * compiled and buffers have their size, to the last. What is stored is in an index: so adds may cost something.
 */
test('50,000 lookups and 2,000 adds: every response correct, memory steady', async () => {
  const { lookups, adds, wrong } = await soak({ lookups: 50_000, adds: 2_000 });
  expect(wrong).toEqual([]);
  // The young generation alone may still grow by 48 MiB; a leak of a request's state would be hundreds.
  expect(growth(lookups, 'resident')).toBeLessThan(96);
  expect(growth(adds, 'resident')).toBeLessThan(96);
  expect(Math.max(...[...lookups, ...adds].map(({ resident }) => resident))).toBeLessThan(320);
}, 300_000);
