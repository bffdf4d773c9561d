import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../runtime/error-code';
import { syncPath } from '../../runtime/replace-file';

/** Folders that are synced at once: each takes a descriptor. */
const AT_ONCE = 32;

/** How often a folder is tried while there is no descriptor for it, and the pause between. */
const PATIENCE = 20;
const PAUSE_MS = 50;

/** Too many files are open, in the process or on the machine. */
const OUT_OF_DESCRIPTORS = new Set(['EMFILE', 'ENFILE']);

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

  /** What could not be synced is tried again with the next changes; what could is not. */
  async #sync(): Promise<void> {
    const paths = [...this.#changed];
    this.#changed = new Set();
    const failures: unknown[] = [];
    const some = async () => {
      for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
        try {
          await syncFolder(path);
        } catch (error) {
          this.#changed.add(path);
          failures.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, some));
    if (failures.length > 0) throw failures[0];
  }
}

/** Syncs a folder; one that is gone has nothing to sync. */
async function syncFolder(path: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await syncPath(path);
      return;
    } catch (error) {
      const code = errorCode(error) ?? '';
      if (code === 'ENOENT') return;
      if (!OUT_OF_DESCRIPTORS.has(code) || attempt === PATIENCE) throw error;
    }
    // Others close theirs meanwhile.
    await delay(PAUSE_MS);
  }
}
