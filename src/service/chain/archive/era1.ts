import { closeSync, fstatSync, openSync } from 'node:fs';
import { basename } from 'node:path';

import { accumulatorRoot, EPOCH_BLOCKS, RECORD_BYTES } from './accumulator';
import { SegmentBuilder } from './builder';
import { sameHash, toHex } from './bytes';
import { ArchiveError, FormatError } from './errors';
import { FileWindow } from './file-window';
import type { Hash } from './hashing';
import { rlpList } from './rlp';
import type { SegmentContent } from './segment';
import { Unframer } from './snappy';

/** Types of e2store entries in an era1 file. */
const HEADER = 0x03;
const BODY = 0x04;
const RECEIPTS = 0x05;
const TOTAL_DIFFICULTY = 0x06;
const ACCUMULATOR = 0x07;
const BLOCK_INDEX = 0x3266;

/** Type u16, length u32, reserved u16. */
const ENTRY_BYTES = 8;
const MAX_HEADER = 16 * 1024;
const MAX_BODY = 64 * 1024 * 1024;

/** Files with small blocks are read in large spans, so in full; files with large blocks in small spans, so in part. */
const SMALL_BLOCK = 16 * 1024;
const SPAN_SMALL = 256 * 1024;
const SPAN_LARGE = 4 * 1024;

/** The first bytes of every e2store file. */
export const E2STORE_MAGIC = Buffer.from('6532000000000000', 'hex');

export type Hashes = { keccak: Hash; sha256: Hash; emptyUnclesHash: Uint8Array };

type Entry = { kind: number; at: number; length: number; end: number };

/** The blocks of an era1 file, located through its index. */
type Layout = { start: number; count: number; indexAt: number; offsets: Buffer };

function entryAt(file: FileWindow, at: number): Entry {
  const from = file.find(at, ENTRY_BYTES);
  const { buffer } = file;
  if (buffer.readUInt16LE(from + 6) !== 0)
    throw new FormatError(`the e2store entry at byte ${at} has non-zero reserved bytes`);
  const length = buffer.readUInt32LE(from + 2);
  return { kind: buffer.readUInt16LE(from), at: at + ENTRY_BYTES, length, end: at + ENTRY_BYTES + length };
}

function expect(file: FileWindow, at: number, kind: number, what: string, maxLength: number): Entry {
  const entry = entryAt(file, at);
  if (entry.kind !== kind) throw new FormatError(`no ${what} at byte ${at}`);
  if (entry.length > maxLength) throw new FormatError(`the ${what} is too long (${entry.length} bytes)`);
  return entry;
}

function readLayout(file: FileWindow, size: number): Layout {
  const count = Number(file.read(size - 8, 8).readBigUInt64LE());
  if (count < 1 || count > EPOCH_BLOCKS)
    throw new FormatError('no block index at the end: truncated, or not an era1 file');
  const indexAt = size - ENTRY_BYTES - 16 - 8 * count;
  const { at, length } = expect(file, indexAt, BLOCK_INDEX, 'block index', 16 + 8 * EPOCH_BLOCKS);
  if (length !== 16 + 8 * count) throw new FormatError('the block index has the wrong length');
  const index = Buffer.from(file.read(at, length));
  return { start: Number(index.readBigUInt64LE(0)), count, indexAt, offsets: index.subarray(8, 8 + 8 * count) };
}

/** `<network>-<epoch>-<first four bytes of the accumulator>.era1`; other names are not checked. */
const NAME = /^(?<network>.+)-(?<epoch>\d{5})-(?<root>[0-9a-f]{8})\.era1$/u;

function checkName(name: string, network: string, start: number, root: Uint8Array): void {
  const claimed = NAME.exec(name)?.groups;
  if (!claimed) return;
  if (claimed['network'] !== network)
    throw new FormatError(`the file name says ${claimed['network']}, but this is the archive of ${network}`);
  if (Number(claimed['epoch']) * EPOCH_BLOCKS !== start)
    throw new FormatError(`the file name says epoch ${claimed['epoch']}, but the first block is ${start}`);
  if (claimed['root'] !== toHex(root).slice(2, 10))
    throw new FormatError('the accumulator does not match the file name');
}

/** The 32 bytes at `from` as a number. */
function wideLittleEndian(bytes: Buffer, from: number): bigint {
  let value = 0n;
  for (let at = from + 24; at >= from; at -= 8) value = (value << 64n) | bytes.readBigUInt64LE(at);
  return value;
}

/** Decompression buffers for a block's header and body: the header is still in use while the body is read. */
type Buffers = { header: Unframer; body: Unframer };

function unframe(file: FileWindow, { at, length }: Entry, unframer: Unframer, maxLength: number): Uint8Array {
  const from = file.find(at, length);
  return unframer.unframe(file.buffer, from, from + length, maxLength);
}

/**
 * Reads the four entries of one block, adds the block to the builder and fills in its accumulator record. Returns where
 * the block ends.
 */
function addBlock(
  file: FileWindow,
  from: number,
  builder: SegmentBuilder,
  buffers: Buffers,
  record: Uint8Array,
): number {
  const header = expect(file, from, HEADER, 'compressed header', MAX_HEADER);
  const headerBytes = unframe(file, header, buffers.header, MAX_HEADER);
  const body = expect(file, header.end, BODY, 'compressed body', MAX_BODY);
  const receipts = expect(file, body.end, RECEIPTS, 'compressed receipts', MAX_BODY);
  const total = expect(file, receipts.end, TOTAL_DIFFICULTY, 'total difficulty', 32);
  if (total.length !== 32) throw new FormatError('the total difficulty is not 32 bytes');
  const totalAt = file.find(total.at, 32);
  record.set(file.buffer.subarray(totalAt, totalAt + 32), 32);
  const hash = builder.add({
    header: headerBytes,
    totalDifficulty: wideLittleEndian(file.buffer, totalAt),
    uncles: () => {
      const bytes = unframe(file, body, buffers.body, MAX_BODY);
      const [transactions, uncles] = rlpList(bytes);
      if (!transactions || !uncles) throw new FormatError('the block body has no uncle list');
      return bytes.subarray(transactions.end, uncles.end);
    },
  });
  record.set(hash);
  return total.end;
}

function readAccumulator(file: FileWindow, from: number, indexAt: number): Uint8Array {
  let root: Uint8Array | undefined;
  let at = from;
  while (at < indexAt) {
    const entry = entryAt(file, at);
    if (entry.kind === ACCUMULATOR && entry.length === 32) root = Uint8Array.from(file.read(entry.at, 32));
    at = entry.end;
  }
  if (!root || at !== indexAt) throw new FormatError('no accumulator between the blocks and the index');
  return root;
}

/** The blocks that an era1 file claims to hold, from its index and accumulator alone. Nothing is verified. */
export type Era1Claim = { start: number; end: number; accumulator: string };

type OpenFile = { name: string; size: number; window: FileWindow; layout: Layout };

function withFile<Result>(path: string, use: (file: OpenFile) => Result): Result {
  const name = basename(path);
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    if (size < 2 * ENTRY_BYTES + 24) throw new FormatError('too short for an era1 file');
    const layout = readLayout(new FileWindow(fd, size, SPAN_LARGE), size);
    const span = size / layout.count < SMALL_BLOCK ? SPAN_SMALL : SPAN_LARGE;
    return use({ name, size, window: new FileWindow(fd, size, span), layout });
  } catch (error) {
    if (error instanceof FormatError) throw new ArchiveError(name, error.message, { cause: error });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/**
 * Reads what an era1 file claims to hold, so that a file whose blocks are already in the archive need not be read
 * again.
 *
 * @param path - Path of the file.
 * @returns The claimed range and accumulator.
 * @throws {ArchiveError} If it is not an era1 file.
 */
export function readEra1Claim(path: string): Era1Claim {
  return withFile(path, ({ window, layout: { start, count, indexAt } }) => {
    // The accumulator is the last entry before the index: 8 + 32 bytes.
    const root = readAccumulator(window, indexAt - ENTRY_BYTES - 32, indexAt);
    return { start, end: start + count - 1, accumulator: toHex(root) };
  });
}

export type ReadOptions = {
  network: string;
  hashes: Hashes;
  /** Called with the number of blocks and bytes of the file processed so far. */
  onProgress: (blocks: number, bytes: number) => void;
};

const PROGRESS_EVERY = 1024;

/**
 * Reads and verifies an era1 file: its structure, every header's link to its parent, every uncle list against its
 * header, every total difficulty, and the accumulator against the blocks and the file name. Receipts and the bodies of
 * blocks without uncles are skipped.
 *
 * @param path - Path of the file.
 * @param options - Network and hash functions.
 * @returns The segment to write.
 * @throws {ArchiveError} Names the file, the block and the problem.
 */
export function readEra1(path: string, { network, hashes, onProgress }: ReadOptions): SegmentContent {
  return withFile(path, ({ name, window, layout: { start, count, indexAt, offsets } }) => {
    const builder = new SegmentBuilder({ ...hashes, source: name, start });
    const records = new Uint8Array(RECORD_BYTES * count);
    const buffers = { header: new Unframer(), body: new Unframer() };
    let at = ENTRY_BYTES;
    for (let i = 0; i < count; i++) {
      if (indexAt + Number(offsets.readBigInt64LE(8 * i)) !== at)
        throw new FormatError(`block ${start + i} is not at the position in the block index`);
      const record = records.subarray(RECORD_BYTES * i, RECORD_BYTES * (i + 1));
      at = inBlock(start + i, () => addBlock(window, at, builder, buffers, record));
      const done = i + 1;
      if (done % PROGRESS_EVERY === 0 || done === count) onProgress(done, at);
    }
    const stated = readAccumulator(window, at, indexAt);
    const computed = accumulatorRoot(records, hashes.sha256);
    if (!sameHash(stated, computed)) throw new FormatError('the accumulator does not match the blocks');
    checkName(name, network, start, computed);
    return builder.finish(computed);
  });
}

/** Adds the block's number to an error that does not have it yet. */
export function inBlock<Result>(number: number, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError && !error.message.startsWith('block '))
      throw new FormatError(`block ${number}: ${error.message}`, { cause: error });
    throw error;
  }
}
