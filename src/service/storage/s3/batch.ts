import { type CID } from 'multiformats/cid';
import { IndexLog, type IndexRecord, recordHead, SEGMENT_HEADER } from '../blocks/segment';
import { type Multihash } from '../blocks/store';

export type PendingBlock = { readonly cid: CID; readonly bytes: Uint8Array; readonly crc: number };

/** A segment for the object store: a CAR file without roots, and its index. */
export type PackedSegment = { readonly car: Buffer; readonly index: Buffer; readonly records: readonly IndexRecord[] };

/** Packs blocks into a segment. */
export function packSegment(blocks: Iterable<PendingBlock>): PackedSegment {
  const parts: Uint8Array[] = [SEGMENT_HEADER];
  const records: IndexRecord[] = [];
  const log = new IndexLog();
  let at = SEGMENT_HEADER.length;
  for (const { cid, bytes, crc } of blocks) {
    const head = recordHead(cid, bytes.length);
    parts.push(head, bytes);
    const key: Multihash = cid.multihash.bytes;
    const record = { key, offset: at + head.length, length: bytes.length, crc };
    records.push(record);
    log.push(record);
    at += head.length + bytes.length;
  }
  return { car: Buffer.concat(parts, at), index: log.encode(at), records };
}
