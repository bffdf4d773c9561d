/** Where lines go; a pino logger fits. */
type Log = Readonly<Record<'info' | 'warn', (fields: object, message: string) => void>>;

/** Lines of one reason in a second. */
const PER_SECOND = 10;

type Counted = { second: number; lines: number; leftOut: number };

/**
 * Lines about refused requests. Anyone can cause any number of refusals, so each reason has so many lines a second; the
 * next line says how many were left out, and the metrics count all.
 */
export class RefusalLog {
  readonly #log: Log;
  readonly #isFault: (status: number) => boolean;
  readonly #now: () => number;
  readonly #counted = new Map<number, Counted>();

  /**
   * @param options - With which statuses the service is at fault, and a monotonic clock, in milliseconds.
   */
  constructor(
    log: Log,
    {
      isFault = (status: number) => status >= 500,
      now = () => performance.now(),
    }: { isFault?: (status: number) => boolean; now?: () => number } = {},
  ) {
    this.#log = log;
    this.#isFault = isFault;
    this.#now = now;
  }

  /**
   * Writes a line, as a warning if the service is at fault.
   *
   * @param status - The HTTP status; lines are counted by it.
   * @param fields - Makes the fields of the line, if it is written.
   * @param message - In words of the service, never of the caller.
   */
  write(status: number, fields: () => object, message: string): void {
    const second = Math.floor(this.#now() / 1000);
    let counted = this.#counted.get(status);
    if (counted === undefined) this.#counted.set(status, (counted = { second, lines: 0, leftOut: 0 }));
    if (counted.second !== second) Object.assign(counted, { second, lines: 0 });
    if (counted.lines >= PER_SECOND) {
      counted.leftOut += 1;
      return;
    }
    counted.lines += 1;
    const { leftOut } = counted;
    counted.leftOut = 0;
    this.#log[this.#isFault(status) ? 'warn' : 'info'](
      { ...fields(), status, ...(leftOut > 0 && { leftOut }) },
      message,
    );
  }
}
