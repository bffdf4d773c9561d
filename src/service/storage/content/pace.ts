import { type Turns } from '../../runtime/turns';

/** How long one request may keep others waiting, in milliseconds. */
const SLICE_MS = 2;

/** Bytes of a block whose decoding takes about that long. */
const LARGE_BLOCK = 64 << 10;

/**
 * Divides a long request into slices. In each turn of the event loop, one slice of one request runs, so that whatever
 * else has arrived is answered in between, however many such requests there are. Clients take turns.
 */
export class Pace {
  readonly #turns: Turns;
  readonly #client: string;
  #began = performance.now();

  /** @param client - The key or the address whose request it is. */
  constructor(turns: Turns, client: string) {
    this.#turns = turns;
    this.#client = client;
  }

  /**
   * To be called before each step.
   *
   * @param bytes - Of the block that the step is about to decode, if it is known.
   * @returns A promise to wait for if the slice is over, otherwise undefined.
   */
  step(bytes = 0): Promise<void> | undefined {
    if (bytes < LARGE_BLOCK && performance.now() - this.#began < SLICE_MS) return undefined;
    return this.#turns.next(this.#client).then(() => {
      this.#began = performance.now();
    });
  }
}
