import { type Hex } from '../../eth/bytes';

/** One transaction of a MultiSend: its data are hex digits without 0x; the operation is one of a Safe, if it is valid. */
export type PackedCall = {
  readonly operation: bigint;
  readonly to: Hex;
  /** wei */
  readonly value: bigint;
  readonly data: string;
};

/** Hex digits before the data: operation (1 byte), to (20), value (32), length (32), one after the other. */
const PACKED_HEAD = 2 * (1 + 20 + 32 + 32);

/**
 * Takes apart the transactions of Safe's MultiSend (`MultiSend.sol`).
 *
 * @param packed - Lower-case hex digits without 0x.
 * @returns undefined where the bytes are not that.
 */
export function unpackedCalls(packed: string): PackedCall[] | undefined {
  const calls: PackedCall[] = [];
  let at = 0;
  while (at < packed.length) {
    const start = at + PACKED_HEAD;
    if (start > packed.length) return undefined;
    // Far beyond the end a number is not exact, and no less beyond it.
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
