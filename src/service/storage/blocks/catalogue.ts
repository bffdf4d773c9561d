import { BlockIndex, keyText, type Location } from './block-index';
import { type RecoveredSegment } from './recovery';
import { type SegmentFile } from './segment-file';
import { type Multihash } from './store';

/** Whether `a` was written after `b`. */
const isLater = (a: Location, b: Location): boolean =>
  a.segment > b.segment || (a.segment === b.segment && a.offset > b.offset);

/**
 * Where each block is stored, and how much of each segment is dead.
 *
 * If a block is stored in several places, the one written last counts: where it was last stored or moved to, or, if
 * that place is among the removed ones, nowhere. An earlier copy is superseded. It needs no record as long as the later
 * one will be found when the store is opened.
 */
export class Catalogue {
  readonly index = new BlockIndex();
  readonly segments = new Map<number, SegmentFile>();
  /** Places where a block was found damaged, and has not been stored again since. */
  readonly #damaged = new Map<string, Location[]>();
  #blockBytes = 0;

  /** Total bytes of all blocks. */
  get blockBytes(): number {
    return this.#blockBytes;
  }

  find(key: Multihash): Location | undefined {
    return this.index.get(key);
  }

  segmentAt(id: number): SegmentFile {
    const segment = this.segments.get(id);
    if (segment === undefined) throw new Error(`segment ${id} is gone`);
    return segment;
  }

  /** Adds a segment that was found on opening; the oldest comes first. */
  adopt({ segment, entries }: RecoveredSegment, removed: ReadonlySet<string>): void {
    this.segments.set(segment.id, segment);
    for (const { key, location } of entries) {
      const isRemoved = removed.has(`${location.segment},${location.offset}`);
      if (!isRemoved && location.offset + location.length <= segment.size) {
        this.place(key, location);
        continue;
      }
      segment.deadBytes += location.length;
      const earlier = this.find(key);
      if (isRemoved && earlier !== undefined) this.#supersede(key, earlier);
    }
  }

  /** Records the block's location, unless a later copy is known. */
  place(key: Multihash, location: Location): void {
    const known = this.find(key);
    if (known !== undefined && isLater(known, location)) {
      const segment = this.segmentAt(location.segment);
      segment.superseded.push(location.offset);
      segment.deadBytes += location.length;
      return;
    }
    if (known !== undefined) this.#supersede(key, known);
    const text = keyText(key);
    for (const { segment, offset } of this.#damaged.get(text) ?? [])
      this.segments.get(segment)?.superseded.push(offset);
    this.#damaged.delete(text);
    this.index.set(key, location);
    this.#blockBytes += location.length;
    this.segmentAt(location.segment).liveBlocks++;
  }

  /** Whether the block is stored at this location. */
  isAt(key: Multihash, { segment, offset }: Location): boolean {
    const now = this.find(key);
    return now?.segment === segment && now.offset === offset;
  }

  /** Forgets the block at this location; false if it is no longer there, because the caller's lookup is outdated. */
  forget(key: Multihash, location: Location): boolean {
    if (!this.isAt(key, location)) return false;
    const segment = this.segmentAt(location.segment);
    this.index.delete(key);
    this.#blockBytes -= location.length;
    segment.liveBlocks--;
    segment.deadBytes += location.length;
    return true;
  }

  /** Like {@link forget}, for a block that cannot be read there. */
  forgetDamaged(key: Multihash, location: Location): boolean {
    if (!this.forget(key, location)) return false;
    const text = keyText(key);
    this.#damaged.set(text, [...(this.#damaged.get(text) ?? []), location]);
    return true;
  }

  /** Reverts a {@link forget}. */
  restore(key: Multihash, location: Location): void {
    this.segmentAt(location.segment).deadBytes -= location.length;
    this.place(key, location);
  }

  #supersede(key: Multihash, location: Location): void {
    this.forget(key, location);
    this.segmentAt(location.segment).superseded.push(location.offset);
  }
}
