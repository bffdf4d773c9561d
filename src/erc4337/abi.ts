import { concatBytes, fromHex, type Hex, joinBytes, toHex } from '../eth/bytes';

/**
 * Writing the contract ABI, as far as the few fixed functions of ERC-4337 need it: words, `bytes`, tuples and
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
