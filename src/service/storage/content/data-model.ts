import { CommandError } from '../errors';

/**
 * Values of the IPLD data model: maps are `Map`s in the order of the block; integers are numbers or, beyond 2^53,
 * bigints; floats are numbers, except whole ones, which a JavaScript number cannot distinguish from integers and which
 * use this class.
 *
 * @see https://ipld.io/docs/data-model/kinds/
 */
export class WholeFloat {
  constructor(readonly value: number) {}
}

/** A float that stays a float when encoded. */
export const floatOf = (value: number): number | WholeFloat =>
  Number.isInteger(value) ? new WholeFloat(value) : value;

/** Whether a value is neither a map nor a list. */
export const isScalar = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof WholeFloat;

/** The entries of a map or list (with indices as names) in order; none for any other value. */
export function entriesOf(value: unknown): [string, unknown][] {
  if (value instanceof Map) {
    mustHaveNames(value);
    return [...value];
  }
  return isScalar(value) ? [] : Object.entries(value as object);
}

/** The entry of a map or list under a name; undefined if there is none. */
export function entryOf(value: unknown, name: string): unknown {
  if (value instanceof Map) return value.get(name);
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(name) ? (value as unknown[])[Number(name)] : undefined;
  return Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** @throws CommandError for a map with a non-text key, which CBOR allows and the data model does not. */
export function mustHaveNames(map: ReadonlyMap<unknown, unknown>): asserts map is ReadonlyMap<string, unknown> {
  for (const key of map.keys()) {
    if (typeof key !== 'string') throw new CommandError('a map has a key that is not text');
  }
}
