/** @returns Numbers from 0 up to 1, reproducible by seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @returns The names in a random order determined by the seed (Fisher-Yates). */
function shuffled(names: readonly string[], seed: number): string[] {
  const random = randomNumbers(seed);
  const all = [...names];
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [all[last], all[other]] = [all[other] as string, all[last] as string];
  }
  return all;
}

/**
 * The order of the subjects in each round: a balanced Latin square (Williams) over shuffled names. A fixed order would
 * always measure the same subject right after the slowest one. Over twice as many rounds as subjects, each takes each
 * place twice and directly follows each other one twice.
 *
 * @returns The order of a round, counted from 0.
 */
export function roundOrders(names: readonly string[], seed: number): (round: number) => string[] {
  const all = shuffled(names, seed);
  const count = all.length;
  // 0, 1, n - 1, 2, n - 2, …: the differences between neighbours are all distinct.
  const first = all.map((_, place) => (place % 2 === 1 ? (place + 1) / 2 : count - place / 2));
  return (round) => {
    const order = first.map((index) => all[(index + round) % count] as string);
    // With an odd number, only the square and its mirror image together are balanced.
    return Math.floor(round / count) % 2 === 1 ? order.reverse() : order;
  };
}

/** The note about the order in a table's title. */
export const orderNote = (seed: number): string => `the order changes each round, seed ${seed}`;
