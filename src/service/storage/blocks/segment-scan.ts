import { type FileHandle } from 'node:fs/promises';
import { SHA2_256 } from '../hashes';
import { recordIntact, scanSegment, type SegmentRecord } from './segment';
import { decodeVarint } from './varint';

/** Bytes of a segment that belong to no readable record. */
export type Gap = { readonly from: number; readonly to: number; readonly reason: string };

/**
 * SHA2-256 with a length of 32 bytes: nearly every record has it. Records with another hash function are not found
 * again.
 */
const MULTIHASH = Buffer.from([SHA2_256, 32]);
const DIGEST_BYTES = 32;
/** Lengths of version and codec before the multihash: none, or a codec of one or two bytes. */
const CID_PREFIXES = [0, 2, 3];
const MAX_LENGTH_BYTES = 4;
const BEFORE_MULTIHASH = MAX_LENGTH_BYTES + Math.max(...CID_PREFIXES);
/** Longer than any block accepted by default. */
const MAX_RECORD = 8 << 20;
const WINDOW = 4 << 20;
/** Limit for bytes hashed in search of a record: stored data could be crafted to look like the start of many. */
const HASH_BUDGET = 1 << 30;

/**
 * Reads the records of a segment in order, including those after a damaged one: a changed length or CID costs no more
 * than the records it belongs to.
 *
 * @param onRecord is called with a view that is valid only during the call.
 * @param onGap called for skipped bytes.
 * @returns The offset after the last complete record, and why it stopped before `size`.
 */
export async function scanDamagedSegment(
  handle: FileHandle,
  from: number,
  size: number,
  onRecord: (record: SegmentRecord) => Promise<void> | void,
  onGap: (gap: Gap) => Promise<void> | void,
): Promise<{ readonly end: number; readonly torn?: string }> {
  const budget = { bytes: HASH_BUDGET };
  for (let start = from; ; ) {
    const { end, torn } = await scanSegment(handle, start, size, onRecord);
    if (torn === undefined) return { end };
    const next = await nextRecord(handle, end + 1, size, budget);
    if (next === undefined) return { end, torn };
    await onGap({ from: end, to: next, reason: torn });
    start = next;
  }
}

/** Start of the next intact record, if there is one. */
async function nextRecord(
  handle: FileHandle,
  from: number,
  size: number,
  budget: { bytes: number },
): Promise<number | undefined> {
  const window = Buffer.allocUnsafe(WINDOW);
  for (let base = from; base < size; ) {
    const { bytesRead } = await handle.read(window, 0, Math.min(WINDOW, size - base), base);
    if (bytesRead === 0) return undefined;
    const view = window.subarray(0, bytesRead);
    for (let at = view.indexOf(MULTIHASH); at >= 0; at = view.indexOf(MULTIHASH, at + 1)) {
      for (const start of recordStarts(view, at, size - base)) {
        if (budget.bytes < 0) return undefined;
        if (await isRecord(handle, base + start.at, base + start.end, budget)) return base + start.at;
      }
    }
    // The next window starts where a record's head may have been cut off by the end of this one.
    base += bytesRead < WINDOW ? bytesRead : bytesRead - BEFORE_MULTIHASH - MULTIHASH.length;
  }
  return undefined;
}

/** The records whose multihash may be the one at `multihash`; offsets in `view`, which ends `limit` before the file. */
function* recordStarts(view: Buffer, multihash: number, limit: number): Generator<{ at: number; end: number }> {
  for (const prefix of CID_PREFIXES) {
    const cid = multihash - prefix;
    if (prefix > 0 && view[cid] !== 1) continue;
    for (let at = Math.max(0, cid - MAX_LENGTH_BYTES); at < cid; at++) {
      const length = decodeVarint(view, at);
      if (length?.end !== cid || length.value < prefix + MULTIHASH.length + DIGEST_BYTES) continue;
      const end = cid + length.value;
      if (length.value <= MAX_RECORD && end <= limit) yield { at, end };
    }
  }
}

async function isRecord(handle: FileHandle, at: number, end: number, budget: { bytes: number }): Promise<boolean> {
  budget.bytes -= end - at;
  let found = false;
  await scanSegment(handle, at, end, (record) => {
    found = recordIntact(record);
  });
  return found;
}
