/**
 * Runs the actions of concurrent numbered jobs in job order: those of job 0 at once, those of job n once job n-1 has
 * ended.
 */
export class OrderedQueue {
  readonly #waiting = new Map<number, (() => void)[]>();
  readonly #ended = new Set<number>();
  #current = 0;

  /** Runs `action` when it is the job's turn. */
  run(id: number, action: () => void): void {
    if (id === this.#current) action();
    else this.#waiting.set(id, [...(this.#waiting.get(id) ?? []), action]);
  }

  /** Marks a job as finished: it has no more actions. */
  end(id: number): void {
    this.#ended.add(id);
    while (this.#ended.delete(this.#current)) {
      this.#current += 1;
      const actions = this.#waiting.get(this.#current) ?? [];
      this.#waiting.delete(this.#current);
      for (const action of actions) action();
    }
  }
}
