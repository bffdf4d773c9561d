/** If the output is not a terminal, milliseconds after which a slow step is named. */
const SLOW = 2_000;
/** Milliseconds after which it is named again if it knows how far it is. */
const AGAIN = 5_000;
const WIDTH = 30;

type Step = {
  readonly what: string;
  readonly since: number;
  /** The progress, if that is known. */
  readonly soFar: (() => string) | undefined;
  /** The time at which it was last named. */
  named: number | undefined;
};

const textOf = ({ what, soFar }: Step): string => (soFar === undefined ? what : `${what}: ${soFar()}`);

/**
 * Reports steps, one line each. On a terminal the last line shows the running steps and their seconds; elsewhere a
 * slow step is named after 2 seconds, and every 5 seconds more if it knows how far it is.
 */
export class Progress {
  readonly #stream: NodeJS.WriteStream;
  readonly #running = new Set<Step>();
  #timer: NodeJS.Timeout | undefined;

  /** @param stream - Where to write. */
  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Writes a separate line. */
  line(text: string): void {
    this.#stream.write(`${this.#erase()}${text}\n`);
    this.#show();
  }

  /** Reports a finished step. */
  done(what: string, result: string): void {
    this.line(`  ok  ${what.padEnd(WIDTH)}  ${result}`);
  }

  /**
   * Runs one step and reports its result.
   *
   * @param what - Its name.
   * @param work - The work.
   * @param describe - Describes its result.
   * @param soFar - How far it is, if that is known.
   */
  async step<T>(
    what: string,
    work: () => Promise<T>,
    describe: (result: T) => string,
    soFar?: () => string,
  ): Promise<T> {
    const result = await this.during(what, work, soFar);
    this.done(what, describe(result));
    return result;
  }

  /**
   * Shows a step while it runs, without reporting its end.
   *
   * @param what - Its name.
   * @param work - The work.
   * @param soFar - How far it is, if that is known.
   */
  async during<T>(what: string, work: () => Promise<T>, soFar?: () => string): Promise<T> {
    const step: Step = { what, since: Date.now(), soFar, named: undefined };
    this.#running.add(step);
    this.#timer ??= setInterval(() => {
      this.#show();
    }, 1_000);
    this.#show();
    try {
      return await work();
    } finally {
      this.#running.delete(step);
      if (this.#running.size === 0) this.stop();
    }
  }

  /** Stops showing running steps. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#running.clear();
    this.#stream.write(this.#erase());
  }

  #erase(): string {
    return this.#stream.isTTY ? '\r\x1b[K' : '';
  }

  #show(): void {
    const seconds = ({ since }: Step): number => Math.floor((Date.now() - since) / 1_000);
    if (this.#stream.isTTY) {
      const names = [...this.#running].map((step) => `${textOf(step)} ${seconds(step)} s`);
      const text = names.length === 0 ? '' : `  ..  ${names.join(', ')}`;
      this.#stream.write(`${this.#erase()}${text.slice(0, this.#stream.columns - 1)}`);
      return;
    }
    for (const step of this.#running) {
      const isKnown = step.named !== undefined && step.soFar === undefined;
      const isDue = step.named === undefined ? Date.now() - step.since >= SLOW : Date.now() - step.named >= AGAIN;
      if (isKnown || !isDue) continue;
      step.named = Date.now();
      this.#stream.write(`  ..  ${textOf(step)}\n`);
    }
  }
}
