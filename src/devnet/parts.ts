/** Something that was started. */
export type Part = {
  readonly stop: () => Promise<void>;
  /** Resolves with how it ended. */
  readonly ended?: Promise<string>;
  /** The last it printed. */
  readonly printed?: () => string;
};

/** Everything that runs: stopped in the reverse order of its start, and watched meanwhile. */
export class Parts {
  readonly #running: Part[] = [];
  readonly #onDeath: (error: Error) => void;
  #stopping = false;

  /** @param onDeath - Told when a part ends that nobody stopped. */
  constructor(onDeath: (error: Error) => void) {
    this.#onDeath = onDeath;
  }

  /**
   * Takes charge of a part.
   *
   * @param name - What an error calls it: "The chain".
   * @returns The part.
   */
  add<T extends Part>(name: string, part: T): T {
    this.#running.push(part);
    void part.ended?.then((how) => {
      if (this.#stopping) return;
      const printed = part.printed?.().trim().slice(-1_000) ?? '';
      this.#onDeath(new Error(`${name} has ended (${how}).${printed === '' ? '' : ` The last it said:\n${printed}`}`));
    });
    return part;
  }

  /** Stops everything, also when one part fails to stop. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const part of this.#running.splice(0).reverse()) await part.stop().catch(() => undefined);
  }
}
