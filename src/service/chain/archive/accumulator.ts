import type { Hash } from './hashing';

/** Blocks in an era1 file; only the last file of a chain holds fewer. */
export const EPOCH_BLOCKS = 8192;

const DEPTH = Math.log2(EPOCH_BLOCKS);

/** Bytes of a header record: a block's hash and its total difficulty. */
export const RECORD_BYTES = 64;
const HASH_BYTES = 32;

/**
 * Computes the accumulator root of an era1 file: SSZ `hash_tree_root(List[HeaderRecord, 8192])`, where a header record
 * is a block's hash and its total difficulty as a little-endian uint256.
 *
 * @param records - 64 bytes per block, for at least one block: hash, total difficulty. Overwritten.
 * @param sha256 - SHA-256.
 * @returns 32 bytes.
 */
export function accumulatorRoot(records: Uint8Array, sha256: Hash): Uint8Array {
  const join = (left: Uint8Array, right: Uint8Array) => sha256(Buffer.concat([left, right]));
  let empty: Uint8Array = new Uint8Array(HASH_BYTES);
  let count = records.length / RECORD_BYTES;
  // Each level overwrites the one below; its hashes are stored in pairs of 64 bytes.
  const hashPairs = (pairs: number) => {
    for (let i = 0; i < pairs; i++)
      records.set(sha256(records.subarray(RECORD_BYTES * i, RECORD_BYTES * (i + 1))), HASH_BYTES * i);
  };
  hashPairs(count);
  for (let depth = 0; depth < DEPTH; depth++) {
    if (count % 2 === 1) records.set(empty, HASH_BYTES * count);
    count = Math.ceil(count / 2);
    hashPairs(count);
    empty = join(empty, empty);
  }
  const length = new Uint8Array(HASH_BYTES);
  new DataView(length.buffer).setUint32(0, records.length / RECORD_BYTES, true);
  return join(records.subarray(0, HASH_BYTES), length);
}
