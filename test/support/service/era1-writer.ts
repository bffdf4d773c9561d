import { createHash } from 'node:crypto';

import { RLP } from '@ethereumjs/rlp';
import { compress } from 'snappyjs';

import type { TestBlock } from './chain';

/*
 * Writes era1 files for tests, independently of the reader: e2store entries, snappy frames, the SSZ accumulator and the
 * block index, each from its specification.
 */

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** CRC-32C of each single byte. */
const CRC_OF_BYTE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  return crc;
});

/** CRC-32C, byte by byte. */
export function crc32c(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC_OF_BYTE[(crc ^ byte) & 0xff]!;
  return ~crc >>> 0;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes;
}

/** One stream of the snappy framing format. `plain` stores the data uncompressed, as the format allows. */
export function frame(data: Uint8Array, plain = false): Buffer {
  const chunks: Buffer[] = [Buffer.from('ff060000734e61507059', 'hex')];
  for (let at = 0; at < data.length; at += 65_536) {
    const piece = data.subarray(at, at + 65_536);
    const crc = crc32c(piece);
    const masked = ((crc >>> 15) | (crc << 17)) + 0xa282ead8;
    const body = Buffer.concat([u32(masked), plain ? piece : compress(piece)]);
    chunks.push(Buffer.from([plain ? 1 : 0, body.length & 0xff, (body.length >> 8) & 0xff, body.length >> 16]), body);
  }
  return Buffer.concat(chunks);
}

export function entry(kind: number, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(kind, 0);
  head.writeUInt32LE(data.length, 2);
  return Buffer.concat([head, data]);
}

function littleEndian32(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
}

/** The depth of the tree over 8192 blocks. */
const DEPTH = 13;

/** `hash_tree_root(List[HeaderRecord, 8192])`. The tree over empty leaves is the same everywhere on a level. */
export function accumulator(blocks: readonly TestBlock[]): Buffer {
  let level = blocks.map(({ hash, totalDifficulty }) => sha256(hash, littleEndian32(totalDifficulty)));
  let empty = Buffer.alloc(32);
  for (let depth = 0; depth < DEPTH; depth++) {
    const below = [...level, empty];
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, i) => sha256(below[2 * i]!, below[2 * i + 1]!));
    empty = sha256(empty, empty);
  }
  return sha256(level[0]!, Buffer.concat([u64(blocks.length), Buffer.alloc(24)]));
}

export type Era1Options = { root?: Uint8Array; plainFrames?: boolean; receipts?: Uint8Array };

/** An era1 file of the blocks. */
export function era1File(blocks: readonly TestBlock[], { root, plainFrames, receipts }: Era1Options = {}): Buffer {
  const parts: Buffer[] = [entry(0x3265, new Uint8Array())];
  let length = 8;
  const offsets: number[] = [];
  const push = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  for (const { header, uncles, totalDifficulty } of blocks) {
    offsets.push(length);
    push(entry(0x03, frame(RLP.encode(header), plainFrames)));
    push(entry(0x04, frame(RLP.encode([[], uncles]), plainFrames)));
    push(entry(0x05, frame(receipts ?? Uint8Array.of(0xc0))));
    push(entry(0x06, littleEndian32(totalDifficulty)));
  }
  push(entry(0x07, root ?? accumulator(blocks)));
  const index = [u64(blocks[0]!.number), ...offsets.map((at) => u64(at - length)), u64(blocks.length)];
  push(entry(0x3266, Buffer.concat(index)));
  return Buffer.concat(parts);
}

/** The file name of an era1 file of these blocks. */
export function era1Name(
  network: string,
  blocks: readonly TestBlock[],
  root: Uint8Array = accumulator(blocks),
): string {
  const epoch = String(Math.floor(blocks[0]!.number / 8192)).padStart(5, '0');
  return `${network}-${epoch}-${Buffer.from(root).toString('hex').slice(0, 8)}.era1`;
}
