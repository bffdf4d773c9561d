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
