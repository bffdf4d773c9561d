import { ObjectStoreError } from '../errors';
import { type Bucket, uniqueName } from './bucket';

const FOLDER = 'removing/';
/**
 * How long an announcement stays, by the clock of the bucket. It is far longer than the removals take: whoever stores
 * an object that has just been removed must still find it. Nobody waits for its end.
 */
export const LEASE_MS = 180_000;
/** How long after it began to announce them a process begins further removals; a request takes up to 20 seconds. */
const BEGINS_WITHIN_MS = 15_000;
/**
 * A look shows every announcement whose removals were under way in the time before, if that was no longer than this:
 * what has expired by then was carried out before.
 */
const SEEN_MS = 60_000;
/** The longest announcement that is read. */
const MOST_BYTES = 1 << 20;

const tooSlow = () => new ObjectStoreError('the object store answers too slowly', { isPassing: true });

/** The objects that an announcement names; of one whose content is not known, it may be any. */
type Names = Pick<ReadonlySet<string>, 'has'>;
const ANY: Names = { has: () => true };

/**
 * The removals of objects that any process has announced in the bucket.
 *
 * A process announces which objects it removes before it looks, one last time, how old they are. Whoever stores an
 * object looks for announcements afterwards. If none names the object, each later removal sees its new time. If one
 * does, the object may go, or be gone already, so it must be stored under a name that no announcement can have.
 */
export class Removals {
  readonly #bucket: Bucket;
  #read = new Map<string, Names>();
  #looking: Promise<readonly Names[]> | undefined;
  #next: Promise<readonly Names[]> | undefined;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  /**
   * Whether an object that was seen or stored may be removed, or may have been removed since.
   *
   * @param since - A time (`performance.now()`) before that.
   * @throws ObjectStoreError if the bucket is unavailable, or has taken too long to tell.
   */
  async mayRemove(name: string, since: number): Promise<boolean> {
    const announced = await this.#announced();
    if (performance.now() - since > SEEN_MS) throw tooSlow();
    return announced.some((names) => names.has(name));
  }

  /**
   * Announces the removal of objects, and makes it.
   *
   * @param remove - Called with a function that tells whether there is time left to begin one more removal.
   * @throws ObjectStoreError if no time is left once they are announced: further announcements would not help.
   */
  async announce(names: readonly string[], remove: (mayBegin: () => boolean) => Promise<void>): Promise<void> {
    const began = performance.now();
    await this.#bucket.put(`${FOLDER}${uniqueName()}`, Buffer.from(names.join('\n')));
    const mayBegin = () => performance.now() - began < BEGINS_WITHIN_MS;
    if (!mayBegin()) throw tooSlow();
    await remove(mayBegin);
  }

  /** As seen by a look that begins after the call; those who wait share it. */
  #announced(): Promise<readonly Names[]> {
    this.#next ??= (this.#looking ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#looking = this.#look();
        return this.#looking;
      });
    return this.#next;
  }

  async #look(): Promise<readonly Names[]> {
    const found = new Map<string, Names>();
    for await (const page of this.#bucket.pages(FOLDER)) {
      const look = async ({ key, modified }: (typeof page)[number]) => {
        if (Number.isNaN(modified)) throw new ObjectStoreError('the object store listed an object without its time');
        if (modified > (await this.#bucket.now()) - LEASE_MS)
          found.set(key, this.#read.get(key) ?? (await this.#namesOf(key)));
        else await this.#bucket.delete(key);
      };
      await Promise.all(page.map(look));
    }
    this.#read = found;
    return [...found.values()];
  }

  /** An announcement never changes. One that is gone had expired. */
  async #namesOf(announcement: string): Promise<Names> {
    const body = await this.#bucket.get(announcement, MOST_BYTES);
    return body?.length === 0 ? ANY : new Set(body?.toString().split('\n'));
  }
}
