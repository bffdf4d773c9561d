/** A place among those that a queue lets run at once. */
export type Place = {
  /** Resolves once it may be used: to false if it was left before. Undefined if it may be used now. */
  readonly ready: Promise<boolean> | undefined;
  /** Gives the place to the next one. May be called more than once, and before it is ready. */
  readonly leave: () => void;
};

/** Lets a few run at once; others wait in order. */
export class Queue {
  readonly #atOnce: number;
  readonly #mayWait: number;
  #running = 0;
  readonly #waiting = new Set<() => void>();

  /**
   * @param atOnce - How many run at once.
   * @param mayWait - How many may wait.
   */
  constructor(atOnce: number, mayWait: number) {
    this.#atOnce = atOnce;
    this.#mayWait = mayWait;
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#waiting.size === 0;
  }

  /** @returns Undefined if too many wait. */
  enter(): Place | undefined {
    let wake: (() => void) | undefined;
    let ready: Promise<boolean> | undefined;
    let hasLeft = false;
    if (this.#running < this.#atOnce) this.#running += 1;
    else if (this.#waiting.size >= this.#mayWait) return undefined;
    else
      ready = new Promise((resolve) => {
        const begin = () => {
          wake = undefined;
          this.#waiting.delete(begin);
          resolve(!hasLeft);
        };
        wake = begin;
        this.#waiting.add(begin);
      });
    const leave = () => {
      if (hasLeft) return;
      hasLeft = true;
      if (wake !== undefined) wake();
      else this.#passOn();
    };
    return { ready, leave };
  }

  /** A place that becomes free is that of the first who waits. */
  #passOn(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
