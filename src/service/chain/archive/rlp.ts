import { FormatError } from './errors';

/** Where an item's payload lies in the bytes it was read from, and where the next item begins (`end`). */
export type RlpItem = { list: boolean; start: number; end: number };

/** Reads a big-endian length of `size` bytes; a block cannot contain lengths above 2^32. */
function lengthAt(bytes: Uint8Array, at: number, size: number): number {
  if (size > 4) throw new FormatError('RLP length of more than 4 bytes');
  let length = 0;
  for (let i = 0; i < size; i++) length = length * 256 + (bytes[at + i] as number);
  if (bytes[at] === 0 || length < 56) throw new FormatError('RLP length not in its shortest form');
  return length;
}

/**
 * Determines the length of the item at `at` from its prefix alone.
 *
 * @param bytes - Hold the prefix; the payload may be missing.
 * @param at - Where the item begins.
 * @returns Prefix length and payload length in bytes; undefined if the prefix itself is truncated.
 * @throws {FormatError} If the prefix is not RLP in its shortest form.
 */
export function rlpExtent(
  bytes: Uint8Array,
  at: number,
): { list: boolean; prefix: number; payload: number } | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  if (first < 0x80) return { list: false, prefix: 0, payload: 1 };
  const list = first >= 0xc0;
  const short = first - (list ? 0xc0 : 0x80);
  if (short < 56) return { list, prefix: 1, payload: short };
  const size = short - 55;
  if (at + 1 + size > bytes.length) return undefined;
  return { list, prefix: 1 + size, payload: lengthAt(bytes, at + 1, size) };
}

/**
 * Reads the item at `at`. RLP as in the Ethereum Yellow Paper, appendix B.
 *
 * @param bytes - Hold the whole item.
 * @param at - Where the item begins.
 * @param limit - End of the readable bytes.
 * @returns Where its payload lies.
 * @throws {FormatError} If it is truncated or not RLP.
 */
export function rlpItem(bytes: Uint8Array, at: number, limit: number): RlpItem {
  const extent = at < limit ? rlpExtent(bytes, at) : undefined;
  if (!extent) throw new FormatError('truncated RLP');
  const start = at + extent.prefix;
  const end = start + extent.payload;
  if (end > limit) throw new FormatError('RLP item extends beyond its list');
  return { list: extent.list, start, end };
}

/**
 * Reads a list that exactly fills `bytes` from `at` to `limit`.
 *
 * @param bytes - Hold the list.
 * @param at - Where it begins.
 * @param limit - Where it must end.
 * @returns Its items in order.
 * @throws {FormatError} If it is not exactly one list.
 */
export function rlpList(bytes: Uint8Array, at = 0, limit = bytes.length): RlpItem[] {
  const outer = rlpItem(bytes, at, limit);
  if (!outer.list || outer.end !== limit) throw new FormatError('not a single RLP list');
  const items: RlpItem[] = [];
  for (let next = outer.start; next < outer.end;) {
    const item = rlpItem(bytes, next, outer.end);
    items.push(item);
    next = item.end;
  }
  return items;
}

/** @returns Length in bytes of an RLP list whose items take `payload` bytes. */
export function rlpListLength(payload: number): number {
  if (payload < 56) return 1 + payload;
  let size = 0;
  for (let rest = payload; rest > 0; rest = Math.floor(rest / 256)) size++;
  return 1 + size + payload;
}
