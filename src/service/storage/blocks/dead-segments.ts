import { type Catalogue } from './catalogue';
import { type Placed } from './removals';
import { SEGMENT_HEADER } from './segment';
import { type SegmentFile } from './segment-file';
import { type Multihash } from './store';

/** A segment, and its blocks that are not yet removed. */
export type DeadSegment = { readonly segment: SegmentFile; readonly blocks: readonly Placed[] };

/**
 * Finds a segment without needed blocks, which can be deleted without writing anything first, once it takes no more
 * blocks. Excludes segments whose blocks supersede copies elsewhere, because these would become valid again.
 *
 * @param isNeeded whether a block has to stay.
 * @returns the first such segment; undefined if there is none.
 */
export function findDeadSegment(
  { index, segments }: Pick<Catalogue, 'index' | 'segments'>,
  isNeeded: (key: Multihash) => boolean,
): DeadSegment | undefined {
  // A segment that has just begun would be closed for nothing, begun again, and found again, forever.
  const holdsNothing = ({ size, active }: SegmentFile) => size <= (active ? SEGMENT_HEADER.length : 0);
  const dead = new Map([...segments].filter(([, each]) => !holdsNothing(each) && each.failure === undefined));
  for (const key of index.keys()) {
    const place = index.get(key);
    if (place !== undefined && dead.has(place.segment) && isNeeded(key)) dead.delete(place.segment);
    if (dead.size === 0) return undefined;
  }
  for (const segment of dead.values()) {
    if ([...segments.values()].some((other) => other !== segment && other.superseded.length > 0)) continue;
    const blocks: Placed[] = [];
    for (const key of index.keys()) {
      const location = index.get(key);
      if (location?.segment === segment.id) blocks.push({ key, location });
    }
    return { segment, blocks };
  }
  return undefined;
}

/** Deletes such a segment, which takes no disk space. If a crash undoes it, its blocks are there as before. */
export async function dropSegment(catalogue: Catalogue, { segment, blocks }: DeadSegment): Promise<void> {
  for (const { key, location } of blocks) catalogue.forget(key, location);
  try {
    await segment.retire();
  } catch (error) {
    for (const { key, location } of blocks) catalogue.restore(key, location);
    throw error;
  }
  catalogue.segments.delete(segment.id);
}
