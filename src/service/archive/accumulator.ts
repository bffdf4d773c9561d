import type { Hash } from './hashing';

/** An era1 file holds this many blocks; only the last of a chain holds fewer. */
export const EPOCH_BLOCKS = 8192;

const DEPTH = Math.log2(EPOCH_BLOCKS);

/**
 * Root of the accumulator of an era1 file: SSZ `hash_tree_root(List[HeaderRecord, 8192])`, where a header record is a
 * block's hash and its total difficulty as a little-endian uint256.
 *
 * @param records - 64 bytes a block, in order: hash, total difficulty.
 * @param sha256 - SHA-256.
 * @returns 32 bytes.
 */
export function accumulatorRoot(records: readonly Uint8Array[], sha256: Hash): Uint8Array {
  const pair = new Uint8Array(64);
  const join = (left: Uint8Array, right: Uint8Array) => {
    pair.set(left);
    pair.set(right, 32);
    return sha256(pair);
  };
  let empty: Uint8Array = new Uint8Array(32);
  let level = records.map(sha256);
  for (let depth = 0; depth < DEPTH; depth++) {
    const above: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) above.push(join(level[i] as Uint8Array, level[i + 1] ?? empty));
    empty = join(empty, empty);
    level = above;
  }
  const length = new Uint8Array(32);
  new DataView(length.buffer).setUint32(0, records.length, true);
  return join(level[0] ?? empty, length);
}
