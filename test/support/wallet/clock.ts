type Timer = { readonly due: number; readonly run: () => void };

/** Shorter timers are pauses and fire immediately. Longer ones are time limits and fire only if something hangs. */
const LONGEST_PAUSE = 1000;

/** Simulated time. It advances only for pauses and when something hangs. */
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

  /** Advances time until a time limit is reached. */
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
