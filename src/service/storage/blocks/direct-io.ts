/** Ways to write a batch: past the page cache, or into it. */
export type Way = 'direct' | 'cached';

/** Batches with which each way begins. The first one finds everything cold, and is not counted; the others may be held up. */
const TRIALS = 4;
/** How much quicker the page cache must be: copying there takes a processor that hashes otherwise, and a disk works by itself. */
const CACHE_AHEAD = 3;
/** How often the other way is tried again. */
const RETRY_EVERY = 64;
/** By how much one batch more changes what is known: it may have been held up by something else, or in luck. */
const STEP = 1.25;

/**
 * Takes the way that was the better one lately, in time per byte: past the page cache, unless the disk is far slower. The other
 * one is tried again now and then.
 */
export class BetterWay {
  readonly #now: () => number;
  readonly #taken: Record<Way, number> = { direct: 0, cached: 0 };
  /** What it lately took, about. */
  readonly #msPerByte: Record<Way, number | undefined> = { direct: undefined, cached: undefined };

  /** @param now - A clock, in ms. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Writes a batch of `bytes` bytes one of the ways. One that fails says nothing of the way's speed. */
  async take(bytes: number, ways: Readonly<Record<Way, () => Promise<void>>>): Promise<void> {
    const way = this.#next();
    const start = this.#now();
    await ways[way]();
    const count = this.#taken[way]++;
    if (count === 0) return;
    const msPerByte = (this.#now() - start) / bytes;
    const known = this.#msPerByte[way] ?? msPerByte;
    const least = count < TRIALS ? 0 : known / STEP;
    this.#msPerByte[way] = Math.min(Math.max(msPerByte, least), known * STEP);
  }

  #next(): Way {
    const { direct, cached } = this.#taken;
    if (direct < TRIALS) return 'direct';
    if (cached < TRIALS) return 'cached';
    const isRetry = (direct + cached) % RETRY_EVERY === 0;
    const isDirectBetter = (this.#msPerByte.direct ?? 0) < CACHE_AHEAD * (this.#msPerByte.cached ?? 0);
    return isDirectBetter === isRetry ? 'cached' : 'direct';
  }
}
