import { type Hex } from '../../eth/bytes';

/**
 * Text, as opposed to bytes in hex.
 *
 * @example
 * ```ts
 * new Text('0x1234').text; // => '0x1234'
 * isHex(new Text('0x1234')); // => false
 * ```
 */
export class Text {
  constructor(readonly text: string) {}
}

/**
 * A value of a call or message: a number, a boolean, bytes or an address in hex, text, a list or a struct.
 *
 * @example
 * ```ts
 * const order: Value = { buyer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', amounts: [10n ** 18n], note: new Text('gift') };
 * ```
 */
export type Value = bigint | boolean | Hex | Text | readonly Value[] | { readonly [member: string]: Value };

/**
 * The descriptor does not match the data, and is not used.
 *
 * @example
 * ```ts
 * new Unfit('a list') instanceof Error; // => true
 * ```
 */
export class Unfit extends Error {}

/**
 * @throws {Unfit} Always.
 *
 * @example
 * ```ts
 * unfit('item 3'); // throws item 3
 * ```
 */
export const unfit = (why: string): never => {
  throw new Unfit(why);
};

/**
 * @example
 * ```ts
 * isList([1n, 2n]); // => true
 * isList({ amount: 1n }); // => false
 * ```
 */
export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
/**
 * @example
 * ```ts
 * isHex('0xa9059cbb'); // => true
 * isHex(10n); // => false
 * ```
 */
export const isHex = (value: Value): value is Hex => typeof value === 'string';

/**
 * @throws {Unfit} If it is neither a number nor 1 to 32 bytes.
 *
 * @example
 * ```ts
 * numberOf(42n); // => 42n
 * numberOf('0x2a'); // => 42n
 * ```
 */
export function numberOf(value: Value): bigint {
  if (typeof value === 'bigint') return value;
  if (isHex(value) && value.length > 2 && value.length <= 66) return BigInt(value);
  return unfit('a number');
}

/**
 * The lower-case hex of a value's bytes, without 0x. A number is encoded in 32 bytes, as in the ABI.
 *
 * @throws {Unfit} If it is neither bytes nor a number.
 *
 * @example
 * ```ts
 * digitsOf('0xA9059CBB'); // => 'a9059cbb'
 * digitsOf(1n).length; // => 64
 * ```
 */
export function digitsOf(value: Value): string {
  if (isHex(value)) return value.slice(2).toLowerCase();
  if (typeof value === 'bigint') return BigInt.asUintN(256, value).toString(16).padStart(64, '0');
  return unfit('bytes');
}

/**
 * @throws {Unfit} If it is not an address. Of a number, the low 20 bytes are taken, where routers pack addresses.
 *
 * @example
 * ```ts
 * addressOf('0x70997970C51812dc3A010C7d01b50e0d17dc79C8'); // => '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
 * addressOf(0x70997970c51812dc3a010c7d01b50e0d17dc79c8n); // => '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
 * ```
 */
export function addressOf(value: Value): Hex {
  const digits = typeof value === 'bigint' ? digitsOf(value).slice(-40) : digitsOf(value);
  return digits.length === 40 ? `0x${digits}` : unfit('an address');
}
