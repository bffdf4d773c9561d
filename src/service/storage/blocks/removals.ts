import { type Journal } from '../journal';
import { keyText, type Location } from './block-index';
import { type Catalogue } from './catalogue';
import { type SegmentFile } from './segment-file';
import { type Multihash } from './store';

/** A block and where it lies. */
export type Placed = { readonly key: Multihash; readonly location: Location };

/** Which blocks were removed: on their way to the disk, and on record there. */
export class Removals {
  readonly #catalogue: Catalogue;
  readonly #journal: Journal;
  readonly #commit: () => Promise<void>;
  /** On their way to the disk. */
  readonly #underWay = new Set<Promise<void>>();
  /** Where the blocks of these lay; of one that was stored again and removed again meanwhile, the last time. */
  readonly #leaving = new Map<string, Location>();

  /**
   * @param journal of the places that hold nothing any more.
   * @param commit makes durable what is stored.
   */
  constructor(catalogue: Catalogue, journal: Journal, commit: () => Promise<void>) {
    this.#catalogue = catalogue;
    this.#journal = journal;
    this.#commit = commit;
  }

  /** Bytes of the records. */
  get bytes(): number {
    return this.#journal.size;
  }

  /** Forgets blocks at once, so that who stores them from now on writes new copies, and resolves when that is durable. */
  async remove(blocks: readonly Placed[]): Promise<void> {
    for (const { key, location } of blocks) {
      this.#catalogue.forget(key, location);
      this.#leaving.set(keyText(key), location);
    }
    const recording = this.#record(blocks.map(({ location }) => location));
    this.#underWay.add(recording);
    try {
      await recording;
    } catch (error) {
      // After a failed sync nobody knows what the disk has: then a new copy is the only one that can be relied on.
      const isUndone = this.#journal.failure === undefined;
      for (const { key, location } of isUndone ? blocks : []) {
        // A later removal decides about the copies before its own.
        if (this.#leaving.get(keyText(key)) === location) this.#catalogue.restore(key, location);
      }
      throw error;
    } finally {
      this.#underWay.delete(recording);
      for (const { key, location } of blocks) {
        if (this.#leaving.get(keyText(key)) === location) this.#leaving.delete(keyText(key));
      }
    }
  }

  /** Resolves when none is under way: one that fails brings its block back. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  /** Before a segment goes, copies elsewhere that one in it has superseded are written down as removed. */
  async recordSuperseded(segment: SegmentFile): Promise<void> {
    const offsets = [...segment.superseded];
    if (offsets.length === 0) return;
    await this.#record(offsets.map((offset) => ({ segment: segment.id, offset })));
    segment.superseded = segment.superseded.slice(offsets.length);
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  /** Writes down that there is nothing at these places, nor, of the same blocks, anywhere before. */
  async #record(places: readonly Pick<Location, 'segment' | 'offset'>[]): Promise<void> {
    // What a crash cuts off has no removals: the copies, which decide about those before them, are to survive it.
    await this.#commit();
    await this.#journal.append(places.map(({ segment, offset }) => [segment, offset]));
  }
}
