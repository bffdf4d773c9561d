import { CommandError } from '../errors';

/**
 * Values of the IPLD data model as this service holds them: maps are `Map`s, whose order is that of the block; integers are
 * numbers or, beyond 2^53, bigints; floats are numbers, but whole ones, which a number cannot tell from integers, are these.
 *
 * @see https://ipld.io/docs/data-model/kinds/
 */
export class WholeFloat {
  constructor(readonly value: number) {}
}

/** A float, so that it stays one. */
export const floatOf = (value: number): number | WholeFloat =>
  Number.isInteger(value) ? new WholeFloat(value) : value;

/** What kind of node a value without names is, as the data model calls it; undefined for one with names. */
export function kindOf(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return 'bytes';
  if (value === null || value === undefined) return 'null';
  if (value instanceof WholeFloat) return 'float';
  if (typeof value === 'object') return undefined;
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return Number.isInteger(value) || typeof value === 'bigint' ? 'int' : 'float';
}

/** The entries of a map or list (whose names are the indices) in order; none of any other value. */
export function entriesOf(value: unknown): [string, unknown][] {
  if (value instanceof Map) {
    mustHaveNames(value);
    return [...value];
  }
  return kindOf(value) === undefined ? Object.entries(value as object) : [];
}

/** What a map or list has under a name, undefined when it has none. */
export function entryOf(value: unknown, name: string): unknown {
  if (value instanceof Map) return value.get(name);
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(name) ? (value as unknown[])[Number(name)] : undefined;
  return Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** @throws CommandError for a map with a key that is no name, which CBOR can hold and the data model cannot. */
export function mustHaveNames(map: ReadonlyMap<unknown, unknown>): asserts map is ReadonlyMap<string, unknown> {
  for (const key of map.keys()) {
    if (typeof key !== 'string') throw new CommandError('a map has a key that is not text');
  }
}
