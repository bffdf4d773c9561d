import { type Hex } from '../../eth/bytes';

/** Text, as opposed to bytes in hex. */
export class Text {
  constructor(readonly text: string) {}
}

/** A value of a call or message: a number, a boolean, bytes or an address in hex, text, a list or a struct. */
export type Value = bigint | boolean | Hex | Text | readonly Value[] | { readonly [member: string]: Value };

/** The descriptor does not match the data, and is not used. */
export class Unfit extends Error {}

/** @throws {Unfit} Always. */
export const unfit = (): never => {
  throw new Unfit();
};

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

export const isHex = (value: Value): value is Hex => typeof value === 'string';

/** @throws {Unfit} If it is neither a number nor 1 to 32 bytes. */
export function numberOf(value: Value): bigint {
  if (typeof value === 'bigint') return value;
  if (isHex(value) && value.length > 2 && value.length <= 66) return BigInt(value);
  return unfit();
}

/**
 * The lower-case hex of a value's bytes, without 0x. A number is encoded in 32 bytes, as in the ABI.
 *
 * @throws {Unfit} If it is neither bytes nor a number.
 */
export function digitsOf(value: Value): string {
  if (isHex(value)) return value.slice(2).toLowerCase();
  if (typeof value === 'bigint') return BigInt.asUintN(256, value).toString(16).padStart(64, '0');
  return unfit();
}

/** @throws {Unfit} If it is not an address. Of a number, the low 20 bytes are taken, where routers pack addresses. */
export function addressOf(value: Value): Hex {
  const digits = typeof value === 'bigint' ? digitsOf(value).slice(-40) : digitsOf(value);
  return digits.length === 40 ? `0x${digits}` : unfit();
}

/**
 * A value as the key of an enum, a map or a list of values: up to 32 bytes as a decimal number, booleans as the
 * registry spells them.
 */
export function keyOf(value: Value): string {
  if (value instanceof Text) return value.text;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return isHex(value) && value.length > 2 && value.length <= 66 ? BigInt(value).toString() : String(value);
}
