import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

import { errorCode } from '../../runtime/error-code';
import { EPOCH_BLOCKS } from './accumulator';
import { SegmentBuilder } from './builder';
import { ArchiveError, FormatError } from './errors';
import { inBlock, type ReadOptions } from './era1';
import { rlpExtent, rlpItem, rlpList } from './rlp';
import type { SegmentContent } from './segment';

const CHUNK_BYTES = 1024 * 1024;
const MAX_BLOCK = 64 * 1024 * 1024;

export const GZIP_MAGIC = Buffer.from('1f8b', 'hex');

/** Splits a stream of concatenated RLP lists into its items. Buffers at most one item and one chunk. */
async function* rlpStream(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let at = 0;
    for (;;) {
      const extent = rlpExtent(held, at);
      if (!extent) break;
      if (!extent.list || extent.payload > MAX_BLOCK) throw new FormatError('not a block');
      const end = at + extent.prefix + extent.payload;
      if (end > held.length) break;
      yield held.subarray(at, end);
      at = end;
    }
    held = held.subarray(at);
  }
  if (held.length > 0) throw new FormatError('truncated within a block');
}

function addBlock(block: Buffer, builder: SegmentBuilder): void {
  const outer = rlpItem(block, 0, block.length);
  const header = rlpItem(block, outer.start, outer.end);
  builder.add({
    header: block.subarray(outer.start, header.end),
    uncles: () => {
      const [, transactions, uncles] = rlpList(block);
      if (!transactions || !uncles) throw new FormatError('the block has no uncle list');
      return block.subarray(transactions.end, uncles.end);
    },
  });
}

/** The file's uncompressed bytes; counts the bytes read from disk. */
function open(path: string, gzipped: boolean, onBytes: (bytes: number) => void): AsyncIterable<Buffer> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  file.on('data', (chunk) => {
    onBytes(chunk.length);
  });
  if (!gzipped) return file;
  const unpacked = createGunzip({ chunkSize: CHUNK_BYTES });
  // Ties the two streams together, so that the file is closed when the reader stops. Errors surface while reading.
  pipeline(file, unpacked, () => undefined);
  return unpacked;
}

/**
 * Reads and verifies a chain export (`geth export`): concatenated RLP blocks, optionally gzipped. Checks every header's
 * link to its parent and every uncle list against its header.
 *
 * @param path - Path of the file.
 * @param gzipped - Whether it is compressed.
 * @param options - Hash functions.
 * @returns Segments in order, each ending where an era1 file would, so that an interrupted import continues where it
 * stopped.
 * @throws {ArchiveError} Names the file, the block and the problem; the segments before it are valid.
 */
export async function* readExport(
  path: string,
  gzipped: boolean,
  { hashes, onProgress }: ReadOptions,
): AsyncGenerator<SegmentContent> {
  const name = basename(path);
  let bytes = 0;
  let blocks = 0;
  let builder: SegmentBuilder | undefined;
  try {
    const stream = rlpStream(open(path, gzipped, (more) => (bytes += more)));
    for await (const block of stream) {
      const before = builder?.ending();
      if (!builder || (before && (before.number + 1) % EPOCH_BLOCKS === 0)) {
        if (builder) yield builder.finish(null);
        builder = new SegmentBuilder({ ...hashes, source: name, previous: before });
      }
      const current = builder;
      const add = () => {
        addBlock(block, current);
      };
      if (current.next === undefined) add();
      else inBlock(current.next, add);
      blocks += 1;
      if (blocks % 1024 === 0) onProgress(blocks, bytes);
    }
    onProgress(blocks, bytes);
    if (!builder) throw new FormatError('contains no block');
    yield builder.finish(null);
  } catch (error) {
    if (error instanceof FormatError) throw new ArchiveError(name, error.message, { cause: error });
    if (errorCode(error)?.startsWith('Z_'))
      throw new ArchiveError(name, 'the gzip data is damaged or truncated', { cause: error });
    throw error;
  }
}
