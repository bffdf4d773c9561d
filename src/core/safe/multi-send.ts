import { type Hex } from '../eth/bytes';

/** One transaction of a MultiSend. `data` is hex without 0x. `operation` is a Safe operation if it is a valid one. */
export type PackedCall = {
  readonly operation: bigint;
  readonly to: Hex;
  /** wei */
  readonly value: bigint;
  readonly data: string;
};

/** The number of hex digits before the data: operation (1 byte), to (20), value (32), length (32). */
const PACKED_HEAD = 2 * (1 + 20 + 32 + 32);

/**
 * Unpacks the transactions of Safe's MultiSend (`MultiSend.sol`).
 *
 * @param packed - Lower-case hex digits without 0x.
 * @returns The transactions, or undefined if the bytes are malformed.
 */
export function unpackedCalls(packed: string): PackedCall[] | undefined {
  const calls: PackedCall[] = [];
  let at = 0;
  while (at < packed.length) {
    const start = at + PACKED_HEAD;
    if (start > packed.length) return undefined;
    // A huge length loses precision as a number, but is still beyond the end.
    const end = start + 2 * Number(`0x${packed.slice(at + 106, start)}`);
    if (end > packed.length) return undefined;
    calls.push({
      operation: BigInt(`0x${packed.slice(at, at + 2)}`),
      to: `0x${packed.slice(at + 2, at + 42)}`,
      value: BigInt(`0x${packed.slice(at + 42, at + 106)}`),
      data: packed.slice(start, end),
    });
    at = end;
  }
  return calls;
}
