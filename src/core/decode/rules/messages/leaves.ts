import { ZERO_ADDRESS } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { type TypedData, type TypedDataTypes } from '../../../eth/typed-data';
import { meaningOfWord } from '../../completeness/signed-value';

/** A value of typed data that is no list and no struct. */
export type Leaf = {
  /** The path to it: "orders[0].amount". */
  readonly path: string;
  /** The name of the member, without lists and structs around it. */
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
  /** The address that it is, whatever its type; undefined if it is none, or the zero address. */
  readonly address: Hex | undefined;
};

/** Local names, because looking up a global is slow in the snap's runtime and these run once for each value. */
const { hasOwn } = Object;

/** Where a walk is: the path to a value, and the name of its member. */
type At = Pick<Leaf, 'path' | 'name'>;

function collect(types: TypedDataTypes, type: string, value: unknown, { path, name }: At, leaves: Leaf[]): void {
  const bracket = type.lastIndexOf('[');
  if (bracket !== -1) {
    const itemType = type.slice(0, bracket);
    (value as readonly unknown[]).forEach((item, index) => {
      collect(types, itemType, item, { path: `${path}[${index}]`, name }, leaves);
    });
    return;
  }
  const members = hasOwn(types, type) ? types[type] : undefined;
  if (members === undefined) {
    leaves.push({ path, name, type, value, address: addressIn({ name, type, value }) });
    return;
  }
  const struct = value as Readonly<Record<string, unknown>>;
  for (const member of members) {
    const inside = path === '' ? member.name : `${path}.${member.name}`;
    collect(types, member.type, struct[member.name], { path: inside, name: member.name }, leaves);
  }
}

/** Walks a value by its type, as the encoder does, so that only what is hashed counts. */
export function leavesOf(types: TypedDataTypes, type: string, value: unknown, path = '', name = ''): Leaf[] {
  const leaves: Leaf[] = [];
  collect(types, type, value, { path, name }, leaves);
  return leaves;
}

const known = new WeakMap<TypedData, readonly Leaf[]>();

/** All values of a message. They are collected once, because a message is explained several times. */
export function messageLeaves(data: TypedData): readonly Leaf[] {
  const before = known.get(data);
  if (before !== undefined) return before;
  const leaves = leavesOf(data.types, data.primaryType, data.message);
  known.set(data, leaves);
  return leaves;
}

type Value = Pick<Leaf, 'name' | 'type' | 'value'>;

/** No other type of a value starts so (`eth/typed-data`). */
export const isInteger = (type: string): boolean => type.startsWith('uint') || type.startsWith('int');

/** A value in one spelling, whatever the request spells: numbers in decimal, bytes in lower case. */
export function canonical(type: string, value: unknown): string {
  if (isInteger(type)) return BigInt(value as string | number).toString();
  return type.startsWith('bytes') ? String(value).toLowerCase() : String(value);
}

/** @returns Whether a value is a whole number that is not negative. */
export const isUint = ({ type, value }: Value): boolean =>
  isInteger(type) && (type.startsWith('u') || BigInt(value as string | number) >= 0n);

/** A value that {@link isUint}. */
export const numberOf = ({ value }: Value): bigint => BigInt(value as string | number);

/** Texts and bytes that are an address: as they are, or with the chain before them (CAIP-10). */
const WRITTEN = /^(?:[-a-z0-9]{3,8}:[-\w]{1,32}:)?(0x[0-9a-f]{40})$/iu;
/** A word of 32 bytes with no more than an address in it. */
const WORD = /^0x(0{24}[0-9a-f]{40})$/iu;
/** Numbers are addresses only where their name says so. */
const OF_SOMEBODY = /maker|taker|owner|receiver|recipient|spender|signer|sender|account|address|^(?:to|from)$/iu;
const MIN_ADDRESS = 1n << 128n;
const MAX_ADDRESS = 1n << 160n;

function written(one: Value): Hex | undefined {
  const { type, name, value } = one;
  if (type === 'address') return value as Hex;
  if (type === 'string' || type.startsWith('bytes')) {
    const found = WRITTEN.exec(String(value))?.[1];
    if (found !== undefined) return found as Hex;
    const word = WORD.exec(String(value))?.[1];
    if (word === undefined) return undefined;
    const { address, number } = meaningOfWord(word.toLowerCase());
    return number === undefined ? address : undefined;
  }
  if (!isUint(one) || !OF_SOMEBODY.test(name)) return undefined;
  const number = numberOf(one);
  return number >= MIN_ADDRESS && number < MAX_ADDRESS ? `0x${number.toString(16).padStart(40, '0')}` : undefined;
}

function addressIn(one: Value): Hex | undefined {
  const found = written(one);
  return found === ZERO_ADDRESS ? undefined : found;
}
