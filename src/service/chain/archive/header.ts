import { FormatError } from './errors';
import { rlpItem } from './rlp';

/** Keccak-256 of the RLP of an empty list: the `sha3Uncles` of a header without uncles. */
export const EMPTY_UNCLES_HASH = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';

/** The header fields that chain verification needs. The arrays are views into the header's bytes. */
export type HeaderView = { parentHash: Uint8Array; unclesHash: Uint8Array; difficulty: bigint; number: number };

/**
 * Every header is a list with a 3-byte prefix (it contains a 256-byte bloom) whose first seven items have fixed sizes:
 * parent hash, uncles hash, miner, three roots, bloom. Position and RLP prefix of each, from the list's first byte.
 */
const FIXED: readonly (readonly [at: number, prefix: number])[] = [
  [3, 0xa0],
  [36, 0xa0],
  [69, 0x94],
  [90, 0xa0],
  [123, 0xa0],
  [156, 0xa0],
  [189, 0xb9],
];
const DIFFICULTY_AT = 448;

/** A big-endian number of at most six bytes. */
function unsigned(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let i = start; i < end; i++) value = value * 256 + (bytes[i] as number);
  return value;
}

/** A big-endian number of any length; most take a single step. */
function unsignedWide(bytes: Uint8Array, start: number, end: number): bigint {
  if (end - start <= 6) return BigInt(unsigned(bytes, start, end));
  return (unsignedWide(bytes, start, end - 6) << 48n) | BigInt(unsigned(bytes, end - 6, end));
}

/**
 * Reads the few fields of a block header that chain verification needs, without decoding the rest.
 *
 * @param bytes - RLP of exactly one header (Yellow Paper, section 4.4).
 * @returns The fields.
 * @throws {FormatError} If it is not a header.
 */
export function readHeader(bytes: Uint8Array): HeaderView {
  if (bytes[0] !== 0xf9 || rlpItem(bytes, 0, bytes.length).end !== bytes.length)
    throw new FormatError('not a block header');
  for (const [at, prefix] of FIXED) if (bytes[at] !== prefix) throw new FormatError('not a block header');
  const difficulty = rlpItem(bytes, DIFFICULTY_AT, bytes.length);
  const number = rlpItem(bytes, difficulty.end, bytes.length);
  if (difficulty.list || number.list || difficulty.end - difficulty.start > 32 || number.end - number.start > 4)
    throw new FormatError('the block header has an invalid difficulty or number');
  return {
    parentHash: bytes.subarray(4, 36),
    unclesHash: bytes.subarray(37, 69),
    difficulty: unsignedWide(bytes, difficulty.start, difficulty.end),
    number: unsigned(bytes, number.start, number.end),
  };
}
