import { type Hex, NOT_BYTES } from '../eth/bytes';
import { MAX_UINT256 } from '../eth/units';
import { matching, rule } from './struct';

/**
 * Bytes of any length: 0x and two hex digits per byte.
 *
 * @example
 * ```ts
 * BytesStruct.is('0xd0e30db0'); // => true
 * BytesStruct.is('0x'); // => true
 * BytesStruct.is('0xabc'); // => false
 * ```
 */
export const BytesStruct = matching<Hex>(NOT_BYTES, /^0x(?:[0-9a-fA-F]{2})*$/u);

/**
 * A hex number that is only read, so leading zeros are allowed.
 *
 * @example
 * ```ts
 * HexNumberStruct.is('0x01'); // => true
 * HexNumberStruct.is('0x'); // => false
 * HexNumberStruct.is(1); // => false
 * ```
 */
export const HexNumberStruct = matching<Hex>('must be a number in hex, at most 2^256-1', /^0x[0-9a-fA-F]{1,64}$/u);

const QUANTITY = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]*)$/u;

/**
 * Exactly `length` bytes.
 *
 * @example
 * ```ts
 * const SelectorStruct = bytesStruct(4);
 * SelectorStruct.is('0xd0e30db0'); // => true
 * SelectorStruct.is('0xd0e3'); // => false
 * ```
 */
export const bytesStruct = (length: number) =>
  rule<Hex>(
    `must be ${length} bytes: 0x and ${2 * length} hex digits`,
    (value) => BytesStruct.is(value) && value.length === 2 + 2 * length,
  );

/**
 * The rule for a JSON-RPC quantity, as used in error messages. `limit` is its maximum.
 *
 * @example
 * ```ts
 * quantityRule('2^64-1'); // => 'must be a hex quantity without leading zeros, at most 2^64-1'
 * ```
 */
export const quantityRule = (limit: string): string => `must be a hex quantity without leading zeros, at most ${limit}`;

/**
 * A JSON-RPC quantity (no leading zeros; zero is 0x0) of at most `most`, which error messages call `limit`.
 *
 * @example
 * ```ts
 * const GasStruct = quantityStruct(2n ** 64n - 1n, '2^64-1');
 * GasStruct.is('0x5208'); // => true
 * GasStruct.is('0x05208'); // => false
 * GasStruct.is('0x10000000000000000'); // => false
 * ```
 */
export const quantityStruct = (most: bigint, limit: string) =>
  rule<Hex>(quantityRule(limit), (value) => {
    // 2^256-1 has 64 digits. A longer text is out of range, so it is not parsed.
    return typeof value === 'string' && QUANTITY.test(value) && value.length <= 66 && BigInt(value) <= most;
  });

/**
 * An amount in wei, or any other 256-bit number.
 *
 * @example
 * ```ts
 * Uint256Struct.is('0xde0b6b3a7640000'); // => true
 * Uint256Struct.is('0x00'); // => false
 * Uint256Struct.is(`0x1${'0'.repeat(64)}`); // => false
 * ```
 */
export const Uint256Struct = quantityStruct(MAX_UINT256, '2^256-1');

const isAnsweredQuantity = (value: unknown): value is Hex | number =>
  HexNumberStruct.is(value) || (Number.isSafeInteger(value) && (value as number) >= 0);

/**
 * A quantity in a service's response. Some services send leading zeros or JSON numbers, which are accepted.
 *
 * @example
 * ```ts
 * QuantityAnswerStruct.is('0x5208'); // => true
 * QuantityAnswerStruct.is('0x005208'); // => true
 * QuantityAnswerStruct.is(21000); // => true
 * QuantityAnswerStruct.is('21000'); // => false
 * ```
 */
export const QuantityAnswerStruct = rule<Hex | number>('must be a quantity', isAnsweredQuantity);

/**
 * The same, of at most `most`, which error messages call `limit`.
 *
 * @example
 * ```ts
 * const GasStruct = quantityAnswerStruct(30_000_000n, '30000000');
 * GasStruct.is(21000); // => true
 * GasStruct.is('0x005208'); // => true
 * GasStruct.is('0x1c9c381'); // => false
 * ```
 */
export const quantityAnswerStruct = (most: bigint, limit: string) =>
  rule<Hex | number>(
    `must be a quantity, at most ${limit}`,
    (value) => isAnsweredQuantity(value) && BigInt(value) <= most,
  );
