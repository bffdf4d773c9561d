import { type BlockIndex, type Location } from './block-index';
import { rawCid } from './raw-cid';
import { SEGMENT_HEADER, type SegmentRecord } from './segment';
import { type SegmentFile } from './segment-file';
import { type Gap, scanDamagedSegment } from './segment-scan';

type Visit = (record: SegmentRecord, location: Location) => Promise<void> | void;

/**
 * Calls `visit` for every block of the segment that the index refers to. Where record boundaries are lost, the index
 * still knows each block's location.
 *
 * @param warn called for unreadable records.
 */
export async function scanLive(
  segment: SegmentFile,
  index: BlockIndex,
  warn: (message: string) => void,
  visit: Visit,
): Promise<void> {
  const { id, size } = segment;
  const visitByIndex = async ({ from, to, reason }: Gap) => {
    warn(`segment ${id} is damaged from byte ${from} to ${to}: ${reason}`);
    for (const key of index.keys()) {
      const location = index.get(key);
      if (location?.segment !== id || location.offset < from || location.offset >= to) continue;
      await visit({ cid: rawCid(key), offset: location.offset, data: await segment.read(location) }, location);
    }
  };
  const { torn, end } = await scanDamagedSegment(
    segment.handle,
    SEGMENT_HEADER.length,
    size,
    async (record) => {
      const { cid, offset } = record;
      const location = index.get(cid.multihash.bytes);
      if (location?.segment !== id || location.offset !== offset) return;
      const hasItsLength = record.data.length === location.length;
      await visit(hasItsLength ? record : { cid, offset, data: await segment.read(location) }, location);
    },
    visitByIndex,
  );
  if (torn !== undefined) await visitByIndex({ from: end, to: size, reason: torn });
}
