import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { basename } from 'node:path';

import {
  array,
  create,
  integer,
  min,
  nullable,
  object,
  pattern,
  size,
  string,
  StructError,
  type Infer,
} from '@metamask/superstruct';

import { ArchiveError } from './errors';

/*
 * A segment holds what an archive keeps of a run of consecutive blocks. It is written once, renamed into place when it
 * is complete, and never changed. All integers are little-endian.
 *
 *   magic     8 bytes, "KSUNCLE1"
 *   length    u32, of the description
 *   describe  JSON, see SegmentInfo
 *   numbers   u32 x records: block number, ascending; only blocks that have uncles have a record
 *   offsets   u32 x (records + 1): where each record begins in `data`, and where `data` ends
 *   hashes    32 bytes x blocks: the hash of every block of the run
 *   data      the records: u8 count of uncles; 32 bytes per uncle (big-endian): difficulty summed from the first block
 *             of the run up to the uncle, zero if the uncle's parent is older; RLP of the block's uncle list
 *   digest    SHA-256 of everything before
 */

const MAGIC = Buffer.from('KSUNCLE1');
const DIGEST_BYTES = 32;
const MAX_DESCRIPTION = 65_536;
export const SUM_BYTES = 32;

const hash = () => pattern(string(), /^0x[0-9a-f]{64}$/u);
const quantity = () => pattern(string(), /^0x[0-9a-f]+$/u);
const count = () => min(integer(), 0);

const SegmentInfoStruct = object({
  start: count(),
  end: count(),
  records: count(),
  uncles: count(),
  dataBytes: count(),
  /** Parent of the first block: the last block of the previous segment. */
  parentHash: hash(),
  lastHash: hash(),
  /** Total difficulty of the block before the first; null if the source does not state it. */
  base: nullable(quantity()),
  /** Difficulty summed from the first block of the run, at each of the last blocks, oldest first. */
  sums: size(array(quantity()), 1, 8),
  /** Root of the era1 file's accumulator; null for other sources. */
  accumulator: nullable(hash()),
  source: string(),
});

export type SegmentInfo = Infer<typeof SegmentInfoStruct>;

export const SEGMENT_SUFFIX = '.uncles';

/** @returns The file name of a run of blocks; names sort in block order. */
export function segmentName({ start, end }: Pick<SegmentInfo, 'start' | 'end'>): string {
  const digits = (block: number) => String(block).padStart(10, '0');
  return `${digits(start)}-${digits(end)}${SEGMENT_SUFFIX}`;
}

export type SegmentContent = {
  info: SegmentInfo;
  numbers: Uint32Array;
  offsets: Uint32Array;
  hashes: Uint8Array;
  data: readonly Uint8Array[];
};

const view = (array: Uint32Array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

/**
 * Writes a segment and syncs it to disk.
 *
 * @param path - Path of a file that does not exist yet; rename it into place afterwards.
 * @param content - What to write.
 */
export function writeSegment(path: string, { info, numbers, offsets, hashes, data }: SegmentContent): void {
  const description = Buffer.from(JSON.stringify(info));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(description.length);
  const digest = createHash('sha256');
  const fd = openSync(path, 'wx', 0o644);
  try {
    for (const part of [MAGIC, length, description, view(numbers), view(offsets), hashes, Buffer.concat(data)]) {
      digest.update(part);
      for (let written = 0; written < part.length;) written += writeSync(fd, part, written);
    }
    writeSync(fd, digest.digest());
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** An open segment: its index in memory, its records on disk. */
export type Segment = {
  path: string;
  info: SegmentInfo;
  numbers: Uint32Array;
  offsets: Uint32Array;
  /** Where the hashes and the data begin in the file. */
  hashesAt: number;
  dataAt: number;
};

function readExactly(fd: number, at: number, length: number, bytes = Buffer.allocUnsafeSlow(length)): Buffer {
  for (let done = 0; done < length;) {
    const got = readSync(fd, bytes, done, length - done, at + done);
    if (got === 0) throw new RangeError('the file ends early');
    done += got;
  }
  return bytes;
}

function describe(fd: number): { info: SegmentInfo; end: number } {
  const start = readExactly(fd, 0, MAGIC.length + 4);
  if (!start.subarray(0, MAGIC.length).equals(MAGIC)) throw new RangeError('not a segment of this version');
  const length = start.readUInt32LE(MAGIC.length);
  if (length > MAX_DESCRIPTION) throw new RangeError('the description is too long');
  const json: unknown = JSON.parse(readExactly(fd, start.length, length).toString('utf8'));
  return { info: create(json, SegmentInfoStruct), end: start.length + length };
}

/**
 * Opens a segment: reads its index into memory, 8 bytes per block with uncles.
 *
 * @param path - Path of the segment.
 * @returns The segment.
 * @throws {ArchiveError} If the file is not a complete segment.
 */
export function openSegment(path: string): Segment {
  const fd = openSync(path, 'r');
  try {
    const { info, end } = describe(fd);
    const blocks = info.end - info.start + 1;
    const index = readExactly(fd, end, 4 * (2 * info.records + 1));
    const words = new Uint32Array(index.buffer, 0, index.length / 4);
    const hashesAt = end + index.length;
    const dataAt = hashesAt + 32 * blocks;
    readExactly(fd, dataAt + info.dataBytes, DIGEST_BYTES);
    return {
      path,
      info,
      numbers: words.subarray(0, info.records),
      offsets: words.subarray(info.records),
      hashesAt,
      dataAt,
    };
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError || error instanceof StructError)
      throw new ArchiveError(basename(path), `damaged: ${error.message}`, { cause: error });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/**
 * Checks a segment's bytes against its digest.
 *
 * @param segment - The segment.
 * @param fd - Descriptor of its file.
 * @throws {ArchiveError} If a byte differs from what was written.
 */
export function checkDigest({ path, info, dataAt }: Segment, fd: number): void {
  const digest = createHash('sha256');
  const end = dataAt + info.dataBytes;
  const step = 4 * 1024 * 1024;
  for (let at = 0; at < end; at += step) digest.update(readExactly(fd, at, Math.min(step, end - at)));
  if (!digest.digest().equals(readExactly(fd, end, DIGEST_BYTES)))
    throw new ArchiveError(basename(path), 'damaged: digest mismatch; remove this file and import its blocks again');
}

/** @returns The hashes of all its blocks, 32 bytes each, in order. */
export function readHashes({ info, hashesAt }: Segment, fd: number): Uint8Array {
  return readExactly(fd, hashesAt, 32 * (info.end - info.start + 1));
}

/** @returns The hash of block `number`, which must be in the segment. */
export function readHash({ info, hashesAt }: Segment, fd: number, number: number): Uint8Array {
  return readExactly(fd, hashesAt + 32 * (number - info.start), 32, Buffer.allocUnsafe(32));
}

/** A block's uncles as stored. */
export type UncleRecord = { sums: Uint8Array; list: Uint8Array };

/**
 * @param segment - The segment.
 * @param fd - Descriptor of its file.
 * @param index - Index of the record.
 * @returns The record: RLP of the uncle list, and 32 bytes of summed difficulty per uncle.
 */
export function readRecord({ offsets, dataAt }: Segment, fd: number, index: number): UncleRecord {
  const from = offsets[index] as number;
  const length = (offsets[index + 1] as number) - from;
  // From Node's buffer pool: a separate allocation takes longer than the read.
  const record = readExactly(fd, dataAt + from, length, Buffer.allocUnsafe(length));
  const split = 1 + SUM_BYTES * (record[0] as number);
  return { sums: record.subarray(1, split), list: record.subarray(split) };
}
