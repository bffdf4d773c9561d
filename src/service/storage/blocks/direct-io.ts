/** Ways to write a batch: direct I/O, or through the page cache. */
export type WriteMode = 'direct' | 'cached';

/** Number of batches that each mode starts with. The first one is cold and not counted; the others may be delayed. */
const TRIALS = 4;
/**
 * How much faster the page cache must be: copying into it takes CPU time away from hashing, while a disk works on its
 * own.
 */
const CACHE_AHEAD = 3;
/** How often the other mode is tried again. */
const RETRY_EVERY = 64;
/** Maximum change of the estimate per batch, because a single batch may have been delayed or lucky. */
const STEP = 1.25;

/**
 * Picks the write mode that was recently faster per byte: direct I/O, unless the disk is far slower. Tries the other
 * mode now and then.
 */
export class DirectIoPolicy {
  readonly #now: () => number;
  readonly #taken: Record<WriteMode, number> = { direct: 0, cached: 0 };
  /** Recent estimate. */
  readonly #msPerByte: Record<WriteMode, number | undefined> = { direct: undefined, cached: undefined };

  /** @param now - A clock, in ms. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Writes a batch of `bytes` bytes in one of the modes. A failed write does not affect the estimate. */
  async take(bytes: number, writers: Readonly<Record<WriteMode, () => Promise<void>>>): Promise<void> {
    const mode = this.#next();
    const start = this.#now();
    await writers[mode]();
    const count = this.#taken[mode]++;
    if (count === 0) return;
    const msPerByte = (this.#now() - start) / bytes;
    const known = this.#msPerByte[mode] ?? msPerByte;
    const least = count < TRIALS ? 0 : known / STEP;
    this.#msPerByte[mode] = Math.min(Math.max(msPerByte, least), known * STEP);
  }

  #next(): WriteMode {
    const { direct, cached } = this.#taken;
    if (direct < TRIALS) return 'direct';
    if (cached < TRIALS) return 'cached';
    const isRetry = (direct + cached) % RETRY_EVERY === 0;
    const isDirectBetter = (this.#msPerByte.direct ?? 0) < CACHE_AHEAD * (this.#msPerByte.cached ?? 0);
    return isDirectBetter === isRetry ? 'cached' : 'direct';
  }
}
