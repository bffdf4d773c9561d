import { type Hex } from '../../eth/bytes';

/** Text, as against bytes in hex. */
export class Text {
  constructor(readonly text: string) {}
}

/** A value of a call or of a message: a number, a truth, bytes or an address in hex, a text, a list, a struct. */
export type Value = bigint | boolean | Hex | Text | readonly Value[] | { readonly [member: string]: Value };

/** A descriptor asks for something that the data does not have: it does not fit, and is not used. */
export class Unfit extends Error {}

/** @throws {Unfit} Always. */
export const unfit = (why: string): never => {
  throw new Unfit(why);
};

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
export const isHex = (value: Value): value is Hex => typeof value === 'string';

/** @throws {Unfit} If it is neither a number nor up to 32 bytes. */
export function numberOf(value: Value): bigint {
  if (typeof value === 'bigint') return value;
  if (isHex(value) && value.length > 2 && value.length <= 66) return BigInt(value);
  return unfit('a number');
}

/**
 * The lower-case hex of a value's bytes, without 0x. A number has the 32 bytes of its ABI encoding.
 *
 * @throws {Unfit} If it has none.
 */
export function digitsOf(value: Value): string {
  if (isHex(value)) return value.slice(2).toLowerCase();
  if (typeof value === 'bigint') return BigInt.asUintN(256, value).toString(16).padStart(64, '0');
  return unfit('bytes');
}

/** @throws {Unfit} If it is no address. Numbers hold one in their low 20 bytes: routers pack them so. */
export function addressOf(value: Value): Hex {
  const digits = typeof value === 'bigint' ? digitsOf(value).slice(-40) : digitsOf(value);
  return digits.length === 40 ? `0x${digits}` : unfit('an address');
}
