import { setTimeout as delay } from 'node:timers/promises';
import { type Bucket, ObjectStoreError } from './bucket';
import { uniqueName } from './unique-name';

const FOLDER = 'removing/';
/** After this long, by the clock of the service, the announcement of a process counts as one of a dead process. */
const EXPIRES_MS = 60_000;
/** How long after it began to announce them a process begins further removals; a request takes up to 20 seconds. */
const BEGINS_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 200;

/**
 * The removals of objects that any process has announced in the bucket.
 *
 * A process announces removals before it looks, one last time, how old the objects are. Whoever stores an object looks
 * for announcements afterwards: without any, each later removal sees the new time of the object; with one, the object
 * may just be removed, so once the announcement is gone, it is looked for and stored again.
 */
export class Removals {
  readonly #bucket: Bucket;
  #looking: Promise<boolean> | undefined;
  #next: Promise<boolean> | undefined;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  /**
   * Whether removals have been announced, as seen by a look that begins after the call; those who wait share it.
   *
   * @throws ObjectStoreError if the bucket is unavailable.
   */
  areAnnounced(): Promise<boolean> {
    this.#next ??= (this.#looking ?? Promise.resolve(false))
      .catch(() => false)
      .then(() => {
        this.#next = undefined;
        this.#looking = this.#look();
        return this.#looking;
      });
    return this.#next;
  }

  /** Resolves once no announcement of before the call is left, or only those of dead processes. */
  async haveEnded(): Promise<void> {
    while (await this.areAnnounced()) await delay(LOOK_EVERY_MS);
  }

  /**
   * Announces removals and makes them.
   *
   * @param remove - Called with a function that tells whether there is time left to begin one more removal.
   * @throws The error of `remove`. The announcement then stays until it expires: what could not be removed may still
   * be.
   */
  async announce<T>(remove: (mayBegin: () => boolean) => Promise<T>): Promise<T> {
    const began = performance.now();
    const name = `${FOLDER}${uniqueName()}`;
    await this.#bucket.put(name, new Uint8Array(0));
    const result = await remove(() => performance.now() - began < BEGINS_WITHIN_MS);
    await this.#bucket.delete(name);
    return result;
  }

  async #look(): Promise<boolean> {
    let found = false;
    for await (const page of this.#bucket.pages(FOLDER)) {
      for (const { key, modified } of page) {
        if (Number.isNaN(modified)) throw new ObjectStoreError('the object store listed an object without its time');
        if (modified > this.#bucket.now() - EXPIRES_MS) found = true;
        else await this.#bucket.delete(key);
      }
    }
    return found;
  }
}
