/** Bytes of an answer that are not counted, unless it is part of another: most answers are shorter. */
const UNCOUNTED = 64 * 1024;

/**
 * There is no room for an answer: too many others of its key wait for some, it has waited for too long, or nobody will
 * read it.
 */
export class NoRoomError extends Error {
  override name = 'NoRoomError';
}

/** Answers that share a limit: of one key, or of all. */
export class Pool {
  readonly limit: number;
  bytes = 0;
  /** Those of answers that are complete, and wait to be read. */
  unread = 0;
  waiting = 0;
  /** Answers that are not complete, the oldest first, each with those of its parts that may still grow. */
  readonly growing = new Map<Held, Set<Held>>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get isEmpty(): boolean {
    return this.bytes === 0 && this.waiting === 0 && this.growing.size === 0;
  }

  begin(answer: Held): void {
    const parts = this.growing.get(answer.whole);
    if (parts) parts.add(answer);
    else this.growing.set(answer.whole, new Set([answer]));
  }

  /**
   * The oldest may exceed the limit, unless its key has others to read: otherwise several halves could wait for each
   * other without end, and a few keys that read nothing could keep all others waiting.
   */
  admits(answer: Held, more: number): boolean {
    if (this.bytes + more <= this.limit) return true;
    for (const [whole, [oldest]] of this.growing) {
      const [own] = whole.pools;
      if (own.unread === 0) return oldest === answer;
    }
    return false;
  }
}

/** The memory of one answer, from its first byte until the client has read it. */
export class Held {
  readonly #memory: HeldBytes;
  readonly pools: readonly [own: Pool, all: Pool];
  /** The answer that this one is a part of, or this one. */
  readonly whole: Held;
  #counted = 0;
  #length = 0;
  #isComplete = false;
  #hasLeft = false;
  /** Answers that it consists of. */
  readonly #parts: Held[] = [];

  constructor(memory: HeldBytes, pools: readonly [own: Pool, all: Pool], whole?: Held) {
    this.#memory = memory;
    this.pools = pools;
    this.whole = whole ?? this;
  }

  /** An answer that becomes part of this one: it is released together with it, if not before. */
  part(): Held {
    const part = new Held(this.#memory, this.pools, this);
    if (this.#hasLeft) part.leave();
    else this.#parts.push(part);
    return part;
  }

  /** Its bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** Whether it was read, or nobody will read it. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /**
   * Counts further bytes, as soon as there is room for them.
   *
   * @param signal - Ends the wait.
   * @returns Resolves when there is, or once the answer is released; undefined if there is now.
   * @throws {NoRoomError} As a rejection, at the signal or if too many wait.
   */
  charge(bytes: number, signal?: AbortSignal): Promise<void> | undefined {
    this.#length += bytes;
    // A whole batch is kept until its last part is there, and would have so much for each.
    const free = this.whole === this ? UNCOUNTED : 0;
    const more = Math.max(0, this.#length - free) - this.#counted;
    if (more <= 0 || this.#hasLeft) return undefined;
    for (const pool of this.pools) pool.begin(this);
    if (this.take(more)) return undefined;
    return this.#memory.wait(this, more, signal);
  }

  /** @returns Whether there was room for further bytes, or nobody needs them any more. */
  take(more: number): boolean {
    if (this.#hasLeft) return true;
    if (!this.pools.every((pool) => pool.admits(this, more))) return false;
    for (const pool of this.pools) pool.bytes += more;
    this.#counted += more;
    return true;
  }

  /** It grows no more: a part waits for the others, a whole answer to be read. */
  complete(): void {
    for (const pool of this.pools) {
      if (this.whole !== this) pool.growing.get(this.whole)?.delete(this);
      else if (pool.growing.delete(this)) pool.unread += this.#countedInAll();
    }
    this.#isComplete = this.whole === this;
    this.#memory.goOn();
  }

  /** It was read, or nobody will read it. */
  leave(): void {
    for (const part of this.#parts) part.leave();
    for (const pool of this.pools) {
      pool.bytes -= this.#counted;
      if (this.whole.#isComplete) pool.unread -= this.#counted;
      pool.growing.get(this.whole)?.delete(this);
      pool.growing.delete(this);
    }
    this.#counted = 0;
    this.#hasLeft = true;
    this.#memory.goOn();
  }

  #countedInAll(): number {
    return this.#parts.reduce((sum, part) => sum + part.#counted, this.#counted);
  }
}

/**
 * Keeps the memory of answers within limits: those of one key take its limit, or what a single answer needs if that is
 * more; those of all take theirs, and no more than one such answer of each key beyond it. An answer that would exceed a
 * limit waits: the node that sends it is read no faster than clients read what was made before.
 */
export class HeldBytes {
  readonly #limit: number;
  readonly #mayWait: number;
  readonly #all: Pool;
  #waiting: { readonly answer: Held; readonly more: number; readonly proceed: () => void }[] = [];

  /**
   * @param limit - Bytes of answers that are being made or read, of one client.
   * @param limitOfAll - The same of all.
   * @param mayWait - Answers of one client that may wait for room. Each may keep something busy meanwhile.
   */
  constructor(limit = Infinity, limitOfAll = Infinity, mayWait = Infinity) {
    this.#limit = limit;
    this.#mayWait = mayWait;
    this.#all = new Pool(limitOfAll);
  }

  /** The answers of one client. */
  pool(): Pool {
    return new Pool(this.#limit);
  }

  /** @param own - Of its client. */
  begin(own: Pool): Held {
    return new Held(this, [own, this.#all]);
  }

  /** Resolves once the answer has room for more. @throws {NoRoomError} As a rejection, like {@link Held.charge}. */
  async wait(answer: Held, more: number, signal?: AbortSignal): Promise<void> {
    const [own] = answer.pools;
    if (signal?.aborted === true || own.waiting >= this.#mayWait) throw new NoRoomError();
    own.waiting += 1;
    try {
      await new Promise<void>((resolve, reject) => {
        const entry = {
          answer,
          more,
          proceed: () => {
            signal?.removeEventListener('abort', giveUp);
            resolve();
          },
        };
        const giveUp = () => {
          this.#waiting = this.#waiting.filter((each) => each !== entry);
          reject(new NoRoomError());
        };
        signal?.addEventListener('abort', giveUp, { once: true });
        this.#waiting.push(entry);
      });
    } finally {
      own.waiting -= 1;
    }
  }

  /** Lets those proceed that now have room. */
  goOn(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const entry of waiting) {
      if (entry.answer.take(entry.more)) entry.proceed();
      else this.#waiting.push(entry);
    }
  }
}
