import { roundOrders } from '../../../bench/snap/order';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

const ordersOf = (names: readonly string[], seed: number, rounds: number): string[][] => {
  const orderOf = roundOrders(names, seed);
  return Array.from({ length: rounds }, (_, round) => orderOf(round));
};

/** @returns How often each of some things comes up. */
function counted(things: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const thing of things) counts[thing] = (counts[thing] ?? 0) + 1;
  return counts;
}

describe('the order of the subjects in each round', () => {
  it.each([2, 3, 4, 5, 6, 7])(
    'has each of %d subjects in each place, and right after each other one, equally often',
    (count) => {
      const names = NAMES.slice(0, count);
      const orders = ordersOf(names, 1, 2 * count);
      const places = counted(orders.flatMap((order) => order.map((name, place) => `${name} at ${place}`)));
      const pairs = counted(
        orders.flatMap((order) => order.slice(1).map((name, at) => `${order[at] ?? ''} then ${name}`)),
      );
      expect(Object.keys(places)).toHaveLength(count * count);
      expect(new Set(Object.values(places))).toEqual(new Set([2]));
      expect(Object.keys(pairs)).toHaveLength(count * (count - 1));
      expect(new Set(Object.values(pairs))).toEqual(new Set([2]));
    },
  );

  it('is about as balanced over the rounds of a run, which are no whole cycle', () => {
    const orders = ordersOf(NAMES, 5, 40);
    const pairs = counted(
      orders.flatMap((order) => order.slice(1).map((name, at) => `${order[at] ?? ''} then ${name}`)),
    );
    // 240 pairs of neighbours, of 42 kinds.
    expect(Math.min(...Object.values(pairs))).toBeGreaterThanOrEqual(4);
    expect(Math.max(...Object.values(pairs))).toBeLessThanOrEqual(8);
  });

  it('is the same for the same seed, and another one for another', () => {
    expect(ordersOf(NAMES, 42, 20)).toStrictEqual(ordersOf(NAMES, 42, 20));
    expect(new Set([1, 2, 3, 4].map((seed) => ordersOf(NAMES, seed, 1).join())).size).toBeGreaterThan(1);
  });

  it('is the one subject where there is no other, and nothing where there is none', () => {
    expect(ordersOf(['only'], 1, 3)).toStrictEqual([['only'], ['only'], ['only']]);
    expect(ordersOf([], 1, 2)).toStrictEqual([[], []]);
  });
});
