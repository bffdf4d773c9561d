/** Milliseconds after which a step that is not done is named where there is no terminal. */
const SLOW = 5_000;
const WIDTH = 30;

type Step = { readonly what: string; readonly since: number; named: boolean };

/**
 * Tells what is under way and what is done, one line a step. On a terminal the last line shows the steps under way and
 * their seconds; elsewhere a slow step is named once.
 */
export class Progress {
  readonly #stream: NodeJS.WriteStream;
  readonly #underWay = new Set<Step>();
  #timer: NodeJS.Timeout | undefined;

  /** @param stream - Where to write. */
  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Writes a line of its own. */
  line(text: string): void {
    this.#stream.write(`${this.#erase()}${text}\n`);
    this.#show();
  }

  /** Tells that something is done. */
  done(what: string, result: string): void {
    this.line(`  ok  ${what.padEnd(WIDTH)}  ${result}`);
  }

  /**
   * Does one step.
   *
   * @param what - Its name.
   * @param work - Does it.
   * @param describe - What came of it.
   */
  async step<T>(what: string, work: () => Promise<T>, describe: (result: T) => string): Promise<T> {
    const result = await this.during(what, work);
    this.done(what, describe(result));
    return result;
  }

  /**
   * Shows something while it is under way, and nothing of it afterwards.
   *
   * @param what - Its name.
   * @param work - Does it.
   */
  async during<T>(what: string, work: () => Promise<T>): Promise<T> {
    const step = { what, since: Date.now(), named: false };
    this.#underWay.add(step);
    this.#timer ??= setInterval(() => {
      this.#show();
    }, 1_000);
    this.#show();
    try {
      return await work();
    } finally {
      this.#underWay.delete(step);
      if (this.#underWay.size === 0) this.stop();
    }
  }

  /** Shows nothing of what is under way any more. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#underWay.clear();
    this.#stream.write(this.#erase());
  }

  #erase(): string {
    return this.#stream.isTTY ? '\r\x1b[K' : '';
  }

  #show(): void {
    const seconds = ({ since }: Step): number => Math.floor((Date.now() - since) / 1_000);
    if (this.#stream.isTTY) {
      const names = [...this.#underWay].map((step) => `${step.what} ${seconds(step)} s`);
      const text = names.length === 0 ? '' : `  ..  ${names.join(', ')}`;
      this.#stream.write(`${this.#erase()}${text.slice(0, this.#stream.columns - 1)}`);
      return;
    }
    for (const step of this.#underWay) {
      if (step.named || Date.now() - step.since < SLOW) continue;
      step.named = true;
      this.#stream.write(`  ..  ${step.what}\n`);
    }
  }
}
