/** Runs pieces of work one after the other, in the order they came, whatever becomes of them. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** @returns What the work gives, once everything before it is done. */
  runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn;
    return turn;
  }
}
