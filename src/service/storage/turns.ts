import { setImmediate } from 'node:timers/promises';

/** So many steps, of a fraction of a millisecond each, may come one after the other. */
const STEPS_A_TURN = 256;

/**
 * For work whose steps may all be done without a turn of the event loop: blocks that are in memory, content in tiny
 * pieces.
 *
 * @returns A function to call at each step; what it returns, when it is time that the others get their turn, is to be
 * awaited.
 */
export function turnTaker(): () => Promise<void> | undefined {
  let steps = 0;
  return () => (++steps % STEPS_A_TURN === 0 ? setImmediate() : undefined);
}
