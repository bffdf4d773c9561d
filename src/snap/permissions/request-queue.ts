import { ProviderError } from '../../core/errors';
import { Mutex } from '../platform/mutex';

/** The maximum number of requests that wait for or show a dialog, per site and in total. */
const MAX_OF_ORIGIN = 8;
const MAX_OF_ALL = 40;
/**
 * The maximum waiting time in milliseconds. MetaMask stops a snap whose request takes longer than the manifest allows.
 */
const MAX_WAIT = 60_000;

const busy = (): ProviderError =>
  new ProviderError('too-many-requests', 'Too many requests are waiting for the user. Try again later.');

type Queue = { readonly mutex: Mutex; waiting: number };

/**
 * Queues requests that ask the user. Each site has one active request at a time, and the others wait in order. This
 * keeps a dialog and what follows it within one request, whatever else arrives in the meantime.
 */
export class RequestQueue {
  readonly #lines = new Map<string, Queue>();
  readonly #maxWait: number;

  /** @param maxWait - The maximum waiting time of a request, in milliseconds. */
  constructor(maxWait = MAX_WAIT) {
    this.#maxWait = maxWait;
  }

  /** @throws {ProviderError} If too many requests are waiting, or this one waited too long. Nothing was shown then. */
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

  /** Rejects work whose turn comes too late, without running it. */
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
