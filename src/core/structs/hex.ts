import { type Hex, NOT_BYTES } from '../eth/bytes';
import { MAX_UINT256 } from '../eth/units';
import { matching, rule } from './struct';

/** Bytes of any length: 0x and two hex digits per byte. */
export const BytesStruct = matching<Hex>(NOT_BYTES, /^0x(?:[0-9a-fA-F]{2})*$/u);

/** A hex number that is only read, so leading zeros are allowed. */
export const HexNumberStruct = matching<Hex>('must be a number in hex, at most 2^256-1', /^0x[0-9a-fA-F]{1,64}$/u);

const QUANTITY = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]*)$/u;

/** Exactly `length` bytes. */
export const bytesStruct = (length: number) =>
  rule<Hex>(
    `must be ${length} bytes: 0x and ${2 * length} hex digits`,
    (value) => BytesStruct.is(value) && value.length === 2 + 2 * length,
  );

/** The rule for a JSON-RPC quantity, as used in error messages. `limit` is its maximum. */
export const quantityRule = (limit: string): string => `must be a hex quantity without leading zeros, at most ${limit}`;

/** A JSON-RPC quantity (no leading zeros; zero is 0x0) of at most `most`, which error messages call `limit`. */
export const quantityStruct = (most: bigint, limit: string) =>
  rule<Hex>(quantityRule(limit), (value) => {
    // 2^256-1 has 64 digits. A longer text is out of range, so it is not parsed.
    return typeof value === 'string' && QUANTITY.test(value) && value.length <= 66 && BigInt(value) <= most;
  });

/** An amount in wei, or any other 256-bit number. */
export const Uint256Struct = quantityStruct(MAX_UINT256, '2^256-1');

const isAnsweredQuantity = (value: unknown): value is Hex | number =>
  HexNumberStruct.is(value) || (Number.isSafeInteger(value) && (value as number) >= 0);

/** A quantity in a service's response. Some services send leading zeros or JSON numbers, which are accepted. */
export const QuantityAnswerStruct = rule<Hex | number>('must be a quantity', isAnsweredQuantity);

/** The same, of at most `most`, which error messages call `limit`. */
export const quantityAnswerStruct = (most: bigint, limit: string) =>
  rule<Hex | number>(
    `must be a quantity, at most ${limit}`,
    (value) => isAnsweredQuantity(value) && BigInt(value) <= most,
  );
