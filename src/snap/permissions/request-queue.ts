import { ProviderError } from '../../core/errors';
import { Mutex } from '../platform/mutex';

/** How many requests of one site, and of all, may wait for a dialog or have one. */
const MAX_OF_ORIGIN = 8;
const MAX_OF_ALL = 40;
/** Milliseconds. The wallet stops a snap that keeps a request waiting for longer than the manifest says. */
const MAX_WAIT = 60_000;

const busy = (): ProviderError =>
  new ProviderError('too-many-requests', 'Other requests still wait for an answer of the person.');

type Line = { readonly mutex: Mutex; waiting: number };

/**
 * The requests that ask the person: of each site one at a time, the others wait in order. What a dialog
 * shows and what is done after it belong to one request, whatever else comes in meanwhile.
 */
export class RequestQueue {
  readonly #lines = new Map<string, Line>();
  readonly #maxWait: number;

  /** @param maxWait - Milliseconds until a request that waits for its turn is refused. */
  constructor(maxWait = MAX_WAIT) {
    this.#maxWait = maxWait;
  }

  /** @throws {ProviderError} If too many requests wait already, or for too long. Nothing was asked then. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(name) ?? { mutex: new Mutex(), waiting: 0 };
    const ofAll = [...this.#lines.values()].reduce((sum, { waiting }) => sum + waiting, 0);
    if (line.waiting >= MAX_OF_ORIGIN || ofAll >= MAX_OF_ALL) throw busy();
    this.#lines.set(name, line);
    line.waiting++;
    try {
      return await this.#inTime(line.mutex, work);
    } finally {
      line.waiting--;
      if (line.waiting === 0) this.#lines.delete(name);
    }
  }

  /** Work whose turn comes too late is refused, and not done. */
  #inTime<T>(mutex: Mutex, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(busy());
      }, this.#maxWait);
      const turn = mutex.runExclusive(async () => {
        clearTimeout(timer);
        if (isLate) throw busy();
        return work();
      });
      turn.then(resolve, reject);
    });
  }
}
