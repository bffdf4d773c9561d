/** Whose use is counted. */
export type User = { readonly id: string; readonly name?: string };

/** What was counted of a key since it was stored last. */
export type Counts = {
  /** JSON-RPC methods and storage commands. */
  readonly requests: Map<string, number>;
  readonly credits: Map<string, number>;
  /** Refusals by reason. */
  readonly refused: Map<string, number>;
  /** Bytes of stored files: `received` and `sent`. */
  readonly bytes: Map<string, number>;
};

export type Kind = keyof Counts;
export const KINDS: readonly Kind[] = ['requests', 'credits', 'refused', 'bytes'];

/** What a key holds now. */
export type State = { lastSeen?: number; pins?: number; pinnedBytes?: number };

/** What is added to a day of a key. */
export type UseOfKey = { readonly user: User; readonly day: string; readonly counts: Counts; readonly state: State };

/** A stored count. */
export type Row = { readonly day: string; readonly kind: Kind; readonly name: string; readonly amount: number };

/** Keeps what keys have used, by day: not what they may still use, which is in the ledger. */
export type UseStore = {
  /** Adds counts, and replaces what is in the state. If it rejects, some may be stored. */
  add(uses: readonly UseOfKey[]): Promise<void>;
  /** The counts of a key, of {@link DAYS} days at most, and its state. */
  read(id: string): Promise<{ rows: Row[]; state: State }>;
  close(): Promise<void>;
};

/** Days that are kept besides the current one. */
export const DAYS = 30;

export const emptyCounts = (): Counts => ({
  requests: new Map(),
  credits: new Map(),
  refused: new Map(),
  bytes: new Map(),
});

/** How often counts are stored. A process that is killed loses what it counted since. */
const FLUSH_MS = 5_000;

const utcDay = (now: number) => new Date(now).toISOString().slice(0, 10);

const increase = (counts: Map<string, number>, name: string, amount: number) => {
  counts.set(name, (counts.get(name) ?? 0) + amount);
};

export type UseOptions = {
  /** What a key holds; asked when its pins have changed, and again if it is not known yet. */
  readonly pinsOf?: (id: string) => Promise<{ pins: number; bytes: number } | undefined>;
  /** Called with what was stored, for the metrics. */
  readonly onStored?: (use: UseOfKey) => void;
  readonly onError: (error: unknown) => void;
  readonly now?: () => number;
};

/**
 * Counts what keys use, as numbers in memory that are stored together every few seconds: a request waits for none of
 * it. It holds existing keys only, and names of the service's own, so callers cannot fill it.
 */
export class UseRecorder {
  readonly #store: UseStore;
  readonly #options: UseOptions;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #pending = new Map<string, UseOfKey>();
  /** Keys whose pins have changed. */
  readonly #changedPins = new Set<string>();
  #flushing: Promise<void> | undefined;

  constructor(store: UseStore, options: UseOptions) {
    this.#store = store;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  /**
   * Adds to a count.
   *
   * @param name - Of a method, command or reason; never a text of the caller.
   */
  count(user: User, kind: Kind, name: string, amount = 1): void {
    const { counts, state } = this.#of(user);
    increase(counts[kind], name, amount);
    state.lastSeen = this.#now();
  }

  /** To be called when the pins of a key have changed. */
  changedPins(id: string): void {
    this.#changedPins.add(id);
  }

  /** What is stored of a key, and what is not stored yet. */
  async read(id: string): Promise<{ rows: Row[]; state: State }> {
    await this.#flushing;
    const pending = this.#pending.get(id);
    const { rows, state } = await this.#store.read(id);
    if (pending === undefined) return { rows, state };
    const { day, counts } = pending;
    const more = KINDS.flatMap((kind) => [...counts[kind]].map(([name, amount]) => ({ day, kind, name, amount })));
    return { rows: [...rows, ...more], state: { ...state, ...pending.state } };
  }

  /** Stores what was counted. It never rejects: what cannot be stored is tried again, and may then count twice. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined));
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    for (const id of [...this.#changedPins]) await this.#countPins(id).catch(this.#options.onError);
    const pending = [...this.#pending.values()];
    if (pending.length === 0) return;
    this.#pending = new Map();
    try {
      await this.#store.add(pending);
      for (const each of pending) this.#options.onStored?.(each);
    } catch (error) {
      this.#options.onError(error);
      for (const each of pending) this.#takeBack(each);
    }
  }

  async #countPins(id: string): Promise<void> {
    // Before it is asked: another change may follow.
    this.#changedPins.delete(id);
    try {
      const held = await this.#options.pinsOf?.(id);
      if (held) Object.assign(this.#of({ id }).state, { pins: held.pins, pinnedBytes: held.bytes });
      else this.#changedPins.add(id);
    } catch (error) {
      this.#changedPins.add(id);
      throw error;
    }
  }

  #takeBack({ user, counts, state }: UseOfKey): void {
    const { counts: next, state: newer } = this.#of(user);
    for (const kind of KINDS) for (const [name, amount] of counts[kind]) increase(next[kind], name, amount);
    Object.assign(newer, { ...state, ...newer });
  }

  /** Counts of the seconds around midnight may be those of the day before. */
  #of(user: User): UseOfKey {
    let pending = this.#pending.get(user.id);
    if (pending === undefined) {
      pending = { user, day: utcDay(this.#now()), counts: emptyCounts(), state: {} };
      this.#pending.set(user.id, pending);
    }
    return pending;
  }

  /** Stores what was counted last, and closes the store. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flushing;
    await this.flush();
    await this.#store.close();
  }
}
