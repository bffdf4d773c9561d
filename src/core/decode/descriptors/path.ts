import { digitsOf, isHex, isList, unfit, type Value } from './value';

/** A range of bytes or items. Negative bounds count from the end; null leaves a side open. */
type Slice = readonly [from: number | null, to: number | null];

/**
 * The path to a value (ERC-7730): member names, item indexes, slices, or all items (`[]`). It starts at the arguments
 * or the message; with a leading `@`, at their container: `to`, `from`, `value`.
 */
export type Path = readonly (string | number | Slice | readonly [])[];

/** The starting points of paths. */
export type Roots = { readonly data: Value; readonly container: Value };

function member(value: Value, name: string): Value {
  if (typeof value !== 'object' || isList(value) || !Object.hasOwn(value, name)) return unfit();
  return (value as Readonly<Record<string, Value>>)[name] as Value;
}

function item(value: Value, index: number): Value {
  if (!isList(value)) return unfit();
  return value.at(index) ?? unfit();
}

/** Slices by bytes, each of which is two hex digits. */
function sliceBytes(value: Value, [from, to]: Slice): Value {
  const digits = digitsOf(value);
  const length = digits.length / 2;
  const bound = (at: number | null, open: number): number =>
    at === null ? open : Math.min(Math.max(at < 0 ? length + at : at, 0), length);
  return `0x${digits.slice(2 * bound(from, 0), 2 * bound(to, length))}`;
}

/**
 * The values at a path.
 *
 * @param at - The index that replaces "all items", for a parameter that belongs to one item.
 * @throws {Unfit} If there is no such value.
 */
export function pick(roots: Roots, path: Path, at?: number): readonly Value[] {
  const [first, ...rest] = path;
  let values: readonly Value[] = [first === '@' ? roots.container : roots.data];
  for (const step of first === '@' ? rest : path) {
    values = values.flatMap((value): Value | readonly Value[] => {
      if (typeof step === 'string') return [member(value, step)];
      if (typeof step === 'number') return [item(value, step)];
      const slice = step.length === 2 ? step : undefined;
      if (slice !== undefined && (isHex(value) || typeof value === 'bigint')) return [sliceBytes(value, slice)];
      if (!isList(value)) return unfit();
      if (slice !== undefined) return value.slice(slice[0] ?? 0, slice[1] ?? value.length);
      return at === undefined ? value : [item(value, at)];
    });
  }
  return values;
}

/** The single value at a parameter's path. @throws {Unfit} If there is none. */
export const pickOne = (roots: Roots, path: Path, at: number): Value => pick(roots, path, at)[0] ?? unfit();
