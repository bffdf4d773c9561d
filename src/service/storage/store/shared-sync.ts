import { syncPath } from '../../runtime/replace-file';

/** Syncs whatever has changed since the last time, at once for everyone who waits. */
export class SharedSync {
  readonly #durable: boolean;
  #changed = new Set<string>();
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** @param durable - Without it, nothing is synced. */
  constructor(durable: boolean) {
    this.#durable = durable;
  }

  changed(path: string): void {
    if (this.#durable) this.#changed.add(path);
  }

  /** Resolves once all that changed before the call is synced. */
  sync(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    const next = (this.#running ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#running = this.#sync();
        return this.#running;
      });
    this.#next = next;
    return next;
  }

  async #sync(): Promise<void> {
    const paths = this.#changed;
    this.#changed = new Set();
    try {
      await Promise.all([...paths].map(syncPath));
    } catch (error) {
      for (const path of paths) this.#changed.add(path);
      throw error;
    }
  }
}
