import { type Store } from './store';

const KEY = 'locked';

/** Whether the wallet is locked. Without a password: what the snap stores is not encrypted here. */
export class Lock {
  readonly #store: Store;
  readonly #watchers = new Set<() => void>();
  #isLocked: boolean;

  private constructor(store: Store, isLocked: boolean) {
    this.#store = store;
    this.#isLocked = isLocked;
  }

  /** The lock as it was when the page was left. */
  static async open(store: Store): Promise<Lock> {
    return new Lock(store, (await store.get<boolean>(KEY)) === true);
  }

  get isLocked(): boolean {
    return this.#isLocked;
  }

  async set(isLocked: boolean): Promise<void> {
    await this.#store.set(KEY, isLocked);
    this.#isLocked = isLocked;
    for (const watcher of this.#watchers) watcher();
  }

  /** Waits until the wallet is unlocked, as MetaMask does before it reads encrypted state or derives keys. */
  async whenUnlocked(): Promise<void> {
    if (!this.#isLocked) return;
    await new Promise<void>((resolve) => {
      const stop = this.watch(() => {
        if (this.#isLocked) return;
        stop();
        resolve();
      });
    });
  }

  /** @returns A function that stops watching. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }
}
