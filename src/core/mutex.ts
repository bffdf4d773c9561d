/** Runs tasks one after another, in the order of the calls, even if some fail. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** @returns The result of the task, which runs once all earlier tasks are done. */
  runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn;
    return turn;
  }
}
