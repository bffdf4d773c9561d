import { concatBytes, fromHex, type Hex, joinBytes, toHex } from '../eth/bytes';

/**
 * The contract ABI, as far as the few fixed functions of ERC-4337 need it: words, `bytes`, tuples and
 * lists (Solidity ABI specification, "Formal Specification of the Encoding").
 */

/** One encoded value. A dynamic one is reached through an offset. */
export type AbiItem = { readonly dynamic: boolean; readonly bytes: Uint8Array };

const WORD = 32;

/** @returns 32 bytes, big-endian. */
export const wordOf = (quantity: bigint): Uint8Array => fromHex(`0x${quantity.toString(16).padStart(2 * WORD, '0')}`);

/** `uint256`, or a narrower unsigned number. */
export const uintItem = (quantity: bigint): AbiItem => ({ dynamic: false, bytes: wordOf(quantity) });

/** `address`: 20 bytes, right-aligned. */
export const addressItem = (address: Hex): AbiItem => uintItem(BigInt(address));

/** `bytes32`. */
export const bytes32Item = (bytes: Uint8Array): AbiItem => ({ dynamic: false, bytes });

/** `bytes`: length, then content padded with zeros. */
export function bytesItem(content: Uint8Array): AbiItem {
  const padded = new Uint8Array(Math.ceil(content.length / WORD) * WORD);
  padded.set(content);
  return { dynamic: true, bytes: concatBytes(wordOf(BigInt(content.length)), padded) };
}

/** A tuple, or the arguments of a function: heads, then tails. */
export function tupleItem(items: readonly AbiItem[]): AbiItem {
  const headLength = items.reduce((sum, { dynamic, bytes }) => sum + (dynamic ? WORD : bytes.length), 0);
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  let offset = headLength;
  for (const { dynamic, bytes } of items) {
    heads.push(dynamic ? wordOf(BigInt(offset)) : bytes);
    if (!dynamic) continue;
    tails.push(bytes);
    offset += bytes.length;
  }
  return { dynamic: tails.length > 0, bytes: joinBytes([...heads, ...tails]) };
}

/** `T[]`: length, then the items as a tuple. */
export const listItem = (items: readonly AbiItem[]): AbiItem => ({
  dynamic: true,
  bytes: concatBytes(wordOf(BigInt(items.length)), tupleItem(items).bytes),
});

/** `abi.encode(…)`. */
export const encodeArguments = (items: readonly AbiItem[]): Uint8Array => tupleItem(items).bytes;

/**
 * The data of a call.
 *
 * @param selector - The function's 4 bytes.
 */
export const encodeCall = (selector: Hex, items: readonly AbiItem[]): Hex =>
  toHex(concatBytes(fromHex(selector), encodeArguments(items)));

/** Reads one value that starts at `at`. */
export type AbiRead<T> = (data: Uint8Array, at: number) => T;

/**
 * An unsigned number.
 *
 * @throws {RangeError} If the data ends before.
 */
export const readUint: AbiRead<bigint> = (data, at) => {
  if (at + WORD > data.length) throw new RangeError('the data ends within a word');
  return BigInt(toHex(data.subarray(at, at + WORD)));
};

/** @throws {RangeError} If the word is no address. */
export const readAddress: AbiRead<Hex> = (data, at) => {
  if (readUint(data, at) >> 160n !== 0n) throw new RangeError('the word is no address');
  return toHex(data.subarray(at + 12, at + WORD));
};

/** @returns Where a dynamic value starts whose offset stands at `at`, counted from `base`. */
export function readOffset(data: Uint8Array, base: number, at: number): number {
  const offset = readUint(data, at);
  if (offset > BigInt(data.length - base)) throw new RangeError('an offset points past the end');
  return base + Number(offset);
}

/** `bytes`, as a view of the data: nothing is copied. */
export const readBytes: AbiRead<Uint8Array> = (data, at) => {
  const length = readUint(data, at);
  const start = at + WORD;
  if (length > BigInt(data.length - start)) throw new RangeError('bytes reach past the end');
  return data.subarray(start, start + Number(length));
};

/** A list whose items are words, or are reached through offsets (`dynamic`). */
export const readList =
  <T>(read: AbiRead<T>, dynamic: boolean): AbiRead<T[]> =>
  (data, at) => {
    const length = readUint(data, at);
    const base = at + WORD;
    if (length * BigInt(WORD) > BigInt(data.length - base)) throw new RangeError('a list reaches past the end');
    return Array.from({ length: Number(length) }, (_, index) => {
      const head = base + index * WORD;
      return read(data, dynamic ? readOffset(data, base, head) : head);
    });
  };
