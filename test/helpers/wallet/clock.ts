type Timer = { readonly due: number; readonly run: () => void };

/** A pause of the program is over at once; what is longer is a time limit, and runs out only when something hangs. */
const LONGEST_PAUSE = 1000;

/** A simulator of time: it stands still, but for pauses and for what hangs. */
export class Clock {
  now: number;
  readonly #timers = new Set<Timer>();

  constructor(now: number) {
    this.now = now;
  }

  readonly setTimeout = (run: () => void, delay: number): unknown => {
    const timer = { due: this.now + delay, run };
    this.#timers.add(timer);
    if (delay <= LONGEST_PAUSE) setImmediate(() => this.#fire(timer));
    return timer;
  };

  readonly clearTimeout = (timer: unknown): void => {
    this.#timers.delete(timer as Timer);
  };

  /** Lets time pass until something is given up. */
  passUntil(isOver: () => boolean): void {
    while (!isOver()) {
      const [next] = [...this.#timers].sort((a, b) => a.due - b.due);
      if (next === undefined) return;
      this.#fire(next);
    }
  }

  /** `Date`, by this clock. */
  get Date(): typeof Date {
    const now = (): number => this.now;
    return class extends Date {
      constructor(value?: number | string | Date) {
        super(value ?? now());
      }
      static override now(): number {
        return now();
      }
    } as typeof Date;
  }

  #fire(timer: Timer): void {
    if (!this.#timers.delete(timer)) return;
    this.now = Math.max(this.now, timer.due);
    timer.run();
  }
}
