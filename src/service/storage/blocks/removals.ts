import { type Journal } from '../journal';
import { keyText, type Location } from './block-index';
import { type Catalogue } from './catalogue';
import { type SegmentFile } from './segment-file';
import { type Multihash } from './store';

/** A block and its location. */
export type Placed = { readonly key: Multihash; readonly location: Location };

/** Removed blocks: being recorded, or on record on disk. */
export class Removals {
  readonly #catalogue: Catalogue;
  readonly #journal: Journal;
  readonly #commit: () => Promise<void>;
  /** Records being written to disk. */
  readonly #underWay = new Set<Promise<void>>();
  /** Locations of the blocks being removed; if a block was stored and removed again meanwhile, the latest one. */
  readonly #leaving = new Map<string, Location>();

  /**
   * @param journal of the places that hold nothing any longer.
   * @param commit makes stored blocks durable.
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

  /** Forgets blocks at once, so that storing them again writes new copies; resolves when that is durable. */
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
      // After a failed sync the disk's state is unknown; then only a new copy can be trusted.
      const isUndone = this.#journal.failure === undefined;
      for (const { key, location } of isUndone ? blocks : []) {
        // A later removal decides about earlier copies.
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

  /** Resolves once no removal is in progress; a failed one restores its block. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  /** Before a segment is deleted, records copies elsewhere that its blocks have superseded as removed. */
  async recordSuperseded(segment: SegmentFile): Promise<void> {
    const offsets = [...segment.superseded];
    if (offsets.length === 0) return;
    await this.#record(offsets.map((offset) => ({ segment: segment.id, offset })));
    segment.superseded = segment.superseded.slice(offsets.length);
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  /** Records that nothing is stored at these places, nor, for the same blocks, anywhere before. */
  async #record(places: readonly Pick<Location, 'segment' | 'offset'>[]): Promise<void> {
    // Data lost in a crash has no removals: the copies that decide about earlier ones must survive it.
    await this.#commit();
    await this.#journal.append(places.map(({ segment, offset }) => [segment, offset]));
  }
}
