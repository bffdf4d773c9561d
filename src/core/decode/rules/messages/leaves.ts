import { ZERO_ADDRESS } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { type TypedData, type TypedDataTypes } from '../../../eth/typed-data';

/** A value of typed data that is no list and no struct. */
export type Leaf = {
  /** The path to it: "orders[0].amount". */
  readonly path: string;
  /** The name of the member, without lists and structs around it. */
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
};

/** Walks a value by its type, as the encoder does, so that only what is hashed counts. */
export function* leavesOf(
  types: TypedDataTypes,
  type: string,
  value: unknown,
  path = '',
  name = '',
): Generator<Leaf, void, undefined> {
  const bracket = type.lastIndexOf('[');
  if (bracket !== -1) {
    const itemType = type.slice(0, bracket);
    for (const [index, item] of (value as readonly unknown[]).entries())
      yield* leavesOf(types, itemType, item, `${path}[${index}]`, name);
    return;
  }
  const members = Object.hasOwn(types, type) ? types[type] : undefined;
  if (members === undefined) {
    yield { path, name, type, value };
    return;
  }
  const struct = value as Readonly<Record<string, unknown>>;
  for (const member of members)
    yield* leavesOf(
      types,
      member.type,
      struct[member.name],
      path === '' ? member.name : `${path}.${member.name}`,
      member.name,
    );
}

/** All values of a message. */
export const messageLeaves = ({ types, primaryType, message }: TypedData): Leaf[] => [
  ...leavesOf(types, primaryType, message),
];

/** A value in one spelling, whatever the request spells: numbers in decimal, bytes in lower case. */
export function canonical(type: string, value: unknown): string {
  if (/^u?int\d*$/u.test(type)) return BigInt(value as string | number).toString();
  return type.startsWith('bytes') ? String(value).toLowerCase() : String(value);
}

/** @returns Whether a value is a whole number that is not negative. */
export const isUint = ({ type, value }: Leaf): boolean =>
  /^uint\d*$/u.test(type) || (/^int\d*$/u.test(type) && BigInt(value as string | number) >= 0n);

/** A value that {@link isUint}. */
export const numberOf = ({ value }: Leaf): bigint => BigInt(value as string | number);

/** Texts and bytes that are an address: as they are, with the chain before them (CAIP-10), or as a word. */
const WRITTEN = /^(?:[-a-z0-9]{3,8}:[-\w]{1,32}:)?(0x[0-9a-f]{40})$/iu;
const WORD = /^0x0{24}(?!0{8})([0-9a-f]{40})$/iu;
/** Numbers are addresses only where their name says so. */
const OF_SOMEBODY = /maker|taker|owner|receiver|recipient|spender|signer|sender|account|address|^(?:to|from)$/iu;
const MIN_ADDRESS = 1n << 128n;
const MAX_ADDRESS = 1n << 160n;

function written(leaf: Leaf): Hex | undefined {
  const { type, name, value } = leaf;
  if (type === 'address') return value as Hex;
  if (type === 'string' || type.startsWith('bytes')) {
    const found = WRITTEN.exec(String(value))?.[1];
    if (found !== undefined) return found as Hex;
    const digits = WORD.exec(String(value))?.[1];
    return digits === undefined ? undefined : `0x${digits}`;
  }
  if (!isUint(leaf) || !OF_SOMEBODY.test(name)) return undefined;
  const number = numberOf(leaf);
  return number >= MIN_ADDRESS && number < MAX_ADDRESS ? `0x${number.toString(16).padStart(40, '0')}` : undefined;
}

/** The address that a value is, whatever its type; undefined if it is none, or the zero address. */
export function addressIn(leaf: Leaf): Hex | undefined {
  const found = written(leaf);
  return found === ZERO_ADDRESS ? undefined : found;
}
