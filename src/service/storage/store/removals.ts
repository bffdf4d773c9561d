import { setTimeout as delay } from 'node:timers/promises';
import { ObjectStoreError } from '../errors';
import { type Bucket, uniqueName } from './bucket';

const FOLDER = 'removing/';
/** After this long, by the clock of the service, the announcement of a process counts as one of a dead process. */
const EXPIRES_MS = 60_000;
/** How long after it began to announce them a process begins further removals; a request takes up to 20 seconds. */
const BEGINS_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 200;

/** Names of announcements. */
export type Announced = ReadonlySet<string>;

/**
 * The removals of objects that any process has announced in the bucket.
 *
 * A process announces removals before it looks, one last time, how old the objects are. Whoever stores an object looks
 * for announcements afterwards: without any, each later removal sees the new time of the object; with one, the object
 * may just be removed, so once the announcement is gone, it is looked for and stored again.
 */
export class Removals {
  readonly #bucket: Bucket;
  #looking: Promise<Announced> | undefined;
  #next: Promise<Announced> | undefined;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  /**
   * The removals that are announced, as seen by a look that begins after the call; those who wait share it.
   *
   * @throws ObjectStoreError if the bucket is unavailable.
   */
  announced(): Promise<Announced> {
    this.#next ??= (this.#looking ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#looking = this.#look();
        return this.#looking;
      });
    return this.#next;
  }

  /**
   * Resolves once none of these is left. Those that are announced later are not waited for, or a process that collects
   * much would keep everyone else waiting.
   *
   * @throws ObjectStoreError if one stays beyond its time, whatever the clock of the service says.
   */
  async haveEnded(names: Announced): Promise<void> {
    const began = performance.now();
    for (let left = [...names]; left.length > 0;) {
      if (performance.now() - began > 2 * EXPIRES_MS)
        throw new ObjectStoreError('the object store goes on listing an announcement that has expired');
      await delay(LOOK_EVERY_MS);
      const now = await this.announced();
      left = left.filter((name) => now.has(name));
    }
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

  async #look(): Promise<Announced> {
    const found = new Set<string>();
    for await (const page of this.#bucket.pages(FOLDER)) {
      for (const { key, modified } of page) {
        if (Number.isNaN(modified)) throw new ObjectStoreError('the object store listed an object without its time');
        if (modified > this.#bucket.now() - EXPIRES_MS) found.add(key);
        else await this.#bucket.delete(key);
      }
    }
    return found;
  }
}
