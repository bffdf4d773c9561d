import { type Hex } from '../../eth/bytes';

/**
 * One transaction of a MultiSend. `data` is hex without 0x. `operation` is a Safe operation if it is a valid one.
 *
 * @example
 * ```ts
 * const call: PackedCall = { operation: 0n, to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 10n ** 18n, data: '' };
 * ```
 */
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
 *
 * @example
 * ```ts
 * const to = '70997970c51812dc3a010c7d01b50e0d17dc79c8';
 * const packed = `00${to}${'5'.padStart(64, '0')}${'2'.padStart(64, '0')}cafe`;
 * unpackedCalls(packed); // => [{ operation: 0n, to: `0x${to}`, value: 5n, data: 'cafe' }]
 * unpackedCalls(packed.slice(2)); // => undefined
 * ```
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
