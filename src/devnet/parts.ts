/** A started part of the devnet. */
export type Part = {
  readonly stop: () => Promise<void>;
  /** Resolves with how it ended. */
  readonly ended?: Promise<string>;
  /** Its latest output. */
  readonly printed?: () => string;
};

/** All running parts: watches them, and stops them in reverse start order. */
export class Parts {
  readonly #running: Part[] = [];
  readonly #onDeath: (error: Error) => void;
  #stopping = false;

  /** @param onDeath - Called when a part ends without having been stopped. */
  constructor(onDeath: (error: Error) => void) {
    this.#onDeath = onDeath;
  }

  /**
   * Registers a part.
   *
   * @param name - Its name in errors: "The chain".
   * @returns The part.
   */
  add<T extends Part>(name: string, part: T): T {
    this.#running.push(part);
    void part.ended?.then((how) => {
      if (this.#stopping) return;
      const printed = part.printed?.().trim().slice(-1_000) ?? '';
      this.#onDeath(new Error(`${name} has stopped (${how}).${printed === '' ? '' : ` Its last output:\n${printed}`}`));
    });
    return part;
  }

  /** Stops everything, even if one part fails to stop. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const part of this.#running.splice(0).reverse()) await part.stop().catch(() => undefined);
  }
}
