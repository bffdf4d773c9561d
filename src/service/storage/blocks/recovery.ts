import { readdir, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Journal } from '../journal';
import { crcOf } from './crc';
import { type IndexEntry, readIndexFile, recordIntact, SEGMENT_HEADER, syncDirectory } from './segment';
import { indexPath, SegmentFile } from './segment-file';
import { scanDamagedSegment } from './segment-scan';

type Options = { readonly durable: boolean; readonly warn: (message: string) => void };

export type RecoveredSegment = { readonly segment: SegmentFile; readonly entries: readonly IndexEntry[] };

export type Recovered = {
  /** Oldest first; the last one is the active one. */
  readonly segments: readonly RecoveredSegment[];
  readonly active: SegmentFile;
  readonly removedJournal: Journal;
  /** Places (`segment,offset`) of deleted blocks. */
  readonly removed: ReadonlySet<string>;
  readonly damaged: number;
};

/**
 * Opens every segment of a directory and finds its blocks: from the index files as far as they reach, then by reading
 * and hashing the rest. The active segment is truncated after its last complete record.
 */
export async function recoverSegments(directory: string, options: Options): Promise<Recovered> {
  const opened: Closable[] = [];
  try {
    return await recover(directory, options, opened);
  } catch (error) {
    // The original error is reported, not that a file could not be closed afterwards.
    await Promise.allSettled(opened.map((file) => file.close()));
    throw error;
  }
}

type Closable = { close(): Promise<void> };

/** @param opened receives the opened files, for the caller to close after a failure. */
async function recover(directory: string, options: Options, opened: Closable[]): Promise<Recovered> {
  const names = await readdir(directory);
  const idsOf = (suffix: string) =>
    names.filter((name) => /^\d{8}\./.test(name) && name.endsWith(suffix)).map((name) => Number.parseInt(name, 10));
  const ids = idsOf('.car').sort((a, b) => a - b);
  for (const orphan of idsOf('.index').filter((id) => !ids.includes(id))) await unlink(indexPath(directory, orphan));

  const segments: RecoveredSegment[] = [];
  const last = ids.pop() ?? 1;
  let damaged = 0;
  for (const id of ids) {
    const segment = await SegmentFile.openSealed(directory, id);
    opened.push(segment);
    const found = await readEntries(directory, segment, options);
    segments.push({ segment, entries: found.entries });
    damaged += found.damaged;
  }
  const { end, entries, damaged: damagedInActive } = await readActive(directory, last, names.length > 0, options);
  // Anything after the end of the last segment is gone, and its place will be reused by another block.
  const segmentIds = new Set(ids);
  const stateOf = (id: number, offset: number) => {
    if (segmentIds.has(id) || (id === last && offset < end)) return 'there';
    return id < last ? 'gone' : 'reused';
  };
  const { journal, removed } = await openRemoved(join(directory, 'removed.journal'), stateOf, options.durable);
  opened.push(journal);
  const active = await SegmentFile.openActive(directory, last, end, entries, options.durable);
  // The handle rather than `active` itself, which would be sealed.
  opened.push(active.handle);
  segments.push({ segment: active, entries: [...entries] });
  await syncDirectory(directory);
  return { segments, active, removedJournal: journal, removed, damaged: damaged + damagedInActive };
}

/** The state of a removed place: still a block, gone for good, or to be reused by another block. */
type PlaceState = 'there' | 'gone' | 'reused';

async function openRemoved(path: string, stateOf: (segment: number, offset: number) => PlaceState, durable: boolean) {
  const entries: [number, number][] = [];
  let gone = 0;
  let reused = 0;
  const opened = await Journal.open(path, durable, (value) => {
    const [segment, offset] = value as [number, number];
    const state = stateOf(segment, offset);
    if (state === 'there') entries.push([segment, offset]);
    else if (state === 'gone') gone++;
    else reused++;
  });
  const removed = new Set(entries.map((entry) => entry.join()));
  if (gone + reused === 0) return { journal: opened, removed };
  // Entries of places that are gone do no harm in there.
  return { journal: await opened.rewritten(entries, reused > 0), removed };
}

async function readActive(directory: string, id: number, exists: boolean, options: Options) {
  const probe = exists ? await SegmentFile.openSealed(directory, id).catch(ifAbsent) : undefined;
  if (probe === undefined) return { end: 0, entries: [], damaged: 0 };
  try {
    return await readEntries(directory, probe, options);
  } finally {
    await probe.close();
  }
}

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

async function readEntries(directory: string, segment: SegmentFile, { durable, warn }: Options) {
  const { id, size, handle } = segment;
  const stored = await readIndexFile(indexPath(directory, id), id);
  const usable = stored !== undefined && stored.covered <= size;
  const entries: IndexEntry[] = usable ? stored.entries : [];
  // The segment may grow again over what this file says.
  if (!usable) await rm(indexPath(directory, id), { force: true });
  if (size < SEGMENT_HEADER.length) return { end: 0, entries, damaged: 0 };
  let damaged = 0;
  const from = usable ? Math.max(stored.covered, SEGMENT_HEADER.length) : SEGMENT_HEADER.length;
  const { end, torn } = await scanDamagedSegment(
    handle,
    from,
    size,
    (record) => {
      if (recordIntact(record)) {
        const location = { segment: id, offset: record.offset, length: record.data.length, crc: crcOf([record.data]) };
        entries.push({ key: Uint8Array.from(record.cid.multihash.bytes), location });
      } else {
        damaged++;
        warn(`block ${record.cid.toString()} is damaged in segment ${id}`);
      }
    },
    (gap) => {
      damaged++;
      warn(`segment ${id} is damaged from byte ${gap.from} to ${gap.to}: ${gap.reason}`);
    },
  );
  if (torn !== undefined) warn(`segment ${id} ends after ${end} of ${size} bytes: ${torn}; the rest is not used`);
  // A killed process may have left its last writes in the page cache.
  if (durable && end > from) await handle.datasync();
  return { end, entries, damaged };
}
