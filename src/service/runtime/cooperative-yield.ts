import { setImmediate } from 'node:timers/promises';

/** Steps, of a fraction of a millisecond each, between two yields. */
const STEPS_PER_YIELD = 256;

/**
 * Keeps long loops responsive whose steps may all complete without a turn of the event loop, such as reads of cached
 * blocks.
 *
 * @returns A function to call at each step; it returns a promise to await whenever it is time to yield, otherwise
 * undefined.
 */
export function cooperativeYield(): () => Promise<void> | undefined {
  let steps = 0;
  return () => (++steps % STEPS_PER_YIELD === 0 ? setImmediate() : undefined);
}
