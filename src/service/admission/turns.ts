/**
 * Lets a few waiting pieces of work go on in each turn of the event loop, so that whatever else has arrived is answered
 * in between. Keys take turns, and so do the pieces of one key.
 */
export class Turns {
  readonly #perTurn: number;
  readonly #schedule: (run: () => void) => void;
  /** By key; the first key is the next one. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /**
   * @param perTurn - How many go on in one turn.
   * @param schedule - When the next turn is.
   */
  constructor(perTurn: number, schedule: (run: () => void) => void = setImmediate) {
    this.#perTurn = perTurn;
    this.#schedule = schedule;
  }

  /**
   * @param key - Whose work it is.
   * @returns Resolves when the work may go on.
   */
  next(key: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.size === 0) this.#schedule(this.#run);
      const own = this.#waiting.get(key);
      if (own) own.push(resolve);
      else this.#waiting.set(key, [resolve]);
    });
  }

  readonly #run = () => {
    for (let count = 0; count < this.#perTurn && this.#waiting.size > 0; count++) {
      const [[key, own] = ['', []]] = this.#waiting;
      own.shift()?.();
      this.#waiting.delete(key);
      if (own.length > 0) this.#waiting.set(key, own);
    }
    if (this.#waiting.size > 0) this.#schedule(this.#run);
  };
}

/** Milliseconds of work in one turn after which others get as much time, and at most. */
const LONG_MS = 20;
const MOST_MS = 1000;

/**
 * Turns whose work may take long at once, such as the decoding of a large block. Answering someone else takes several
 * turns of the event loop, so after a long one there is a pause of the same length.
 */
export const turnsWithPauses = (): Turns =>
  new Turns(1, (run) => {
    const began = performance.now();
    setImmediate(() => {
      const took = performance.now() - began;
      if (took < LONG_MS) run();
      else setTimeout(run, Math.min(took, MOST_MS));
    });
  });
