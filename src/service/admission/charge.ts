import type { Place } from './queue';
import type { Share } from './share';

/**
 * What a reader, a walk, a hash or a cursor is opened with, so that nothing that a client chose the size of is done
 * without an account: {@link Entry} is the one of a request.
 */
export type Charge = {
  /** What is held in memory for it. */
  readonly memory: Share;
  /**
   * To be called before each step of a loop.
   *
   * @param bytes - What the step is about to decode or hash, if it is known.
   * @returns A promise to wait for if the turn is over, otherwise undefined.
   */
  yield(bytes?: number): Promise<void> | undefined;
  /** A place among the blocks that one client reads at once. */
  reading(): Place | undefined;
};

/** A charge whose memory is given back by itself: of a part of a request. */
export const within = (charge: Charge): Charge => ({
  memory: charge.memory.within(),
  yield: (bytes) => charge.yield(bytes),
  reading: () => charge.reading(),
});
