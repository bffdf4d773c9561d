/** Makes the error for what a share has no room for. */
export type Refuse = (limit: number) => Error;

const never: Refuse = (limit) => new RangeError(`more than the allowed ${limit}`);

/**
 * A share of something that can be held: bytes, rows, files. What is charged to a share is charged to those around it:
 * that of a walk is within that of its request, which is within that of its client, which is within that of all.
 */
export class Share {
  readonly #limit: number;
  readonly #refuse: Refuse;
  /** This share, and those it is within, the outermost last. */
  readonly #all: readonly Share[];
  #held = 0;

  /**
   * @param limit - What may be held at once.
   * @param refuse - Makes the error for more.
   */
  constructor(limit = Infinity, refuse: Refuse = never, around?: Share) {
    this.#limit = limit;
    this.#refuse = refuse;
    this.#all = around === undefined ? [this] : [this, ...around.#all];
  }

  /** A share within this one, without a limit of its own. */
  within(): Share {
    return new Share(Infinity, never, this);
  }

  /** @throws The error of the share that has no room; nothing is charged then. */
  charge(amount: number): void {
    const full = this.#full(amount);
    if (full !== undefined) throw full.#refuse(full.#limit);
    this.count(amount);
  }

  hasRoom(amount: number): boolean {
    return this.#full(amount) === undefined;
  }

  /** The share that has no room for so much, if there is one. */
  #full(amount: number): Share | undefined {
    return amount > 0 ? this.#all.find((share) => share.#held + amount > share.#limit) : undefined;
  }

  /** Charges what is held already. */
  count(amount: number): void {
    for (const share of this.#all) share.#held += amount;
  }

  /** Gives back what was charged. */
  give(amount: number): void {
    this.count(-amount);
  }

  /** Gives everything back. */
  release(): void {
    this.give(this.#held);
  }

  get held(): number {
    return this.#held;
  }

  /** Whether more than half is left everywhere, so that some of it may be used to be faster. */
  get isAmple(): boolean {
    return this.#all.every((share) => share.#held <= share.#limit / 2);
  }
}
