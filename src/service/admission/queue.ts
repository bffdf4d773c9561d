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
    if (this.#running < this.#atOnce) return this.#run();
    return this.#waiting.size < this.#mayWait ? this.#wait() : undefined;
  }

  #run(): Place {
    this.#running += 1;
    let hasLeft = false;
    return {
      ready: undefined,
      leave: () => {
        if (hasLeft) return;
        hasLeft = true;
        this.#next();
      },
    };
  }

  #wait(): Place {
    let state: 'waiting' | 'running' | 'left' = 'waiting';
    let begin: () => void = () => undefined;
    const ready = new Promise<boolean>((resolve) => {
      begin = () => {
        this.#waiting.delete(begin);
        if (state === 'waiting') {
          state = 'running';
          this.#running += 1;
        }
        resolve(state === 'running');
      };
    });
    this.#waiting.add(begin);
    return {
      ready,
      leave: () => {
        if (state === 'left') return;
        const hasRun = state === 'running';
        state = 'left';
        if (hasRun) this.#next();
        else begin();
      },
    };
  }

  #next(): void {
    this.#running -= 1;
    const [next] = this.#waiting;
    next?.();
  }
}
