import { digitsOf, isHex, isList, unfit, type Value } from './value';

/** From one byte or item to another; negative ones count from the end, null is open. */
type Slice = readonly [from: number | null, to: number | null];

/**
 * Where a value is (ERC-7730, paths): the name of a member, the index of an item, a slice, or every item (`[]`).
 * It starts in the arguments or the message; `@` in front starts in what holds them: `to`, `from`, `value`.
 */
export type Path = readonly (string | number | Slice | readonly [])[];

/** What paths start in. */
export type Roots = { readonly data: Value; readonly container: Value };

function member(value: Value, name: string): Value {
  if (typeof value !== 'object' || isList(value) || !Object.hasOwn(value, name)) return unfit(name);
  return (value as Readonly<Record<string, Value>>)[name] as Value;
}

function item(value: Value, index: number): Value {
  if (!isList(value)) return unfit('a list');
  return value.at(index) ?? unfit(`item ${index}`);
}

/** Bytes by their position; hex has two digits each. */
function sliceBytes(value: Value, [from, to]: Slice): Value {
  const digits = digitsOf(value);
  const length = digits.length / 2;
  const bound = (at: number | null, open: number): number =>
    at === null ? open : Math.min(Math.max(at < 0 ? length + at : at, 0), length);
  return `0x${digits.slice(2 * bound(from, 0), 2 * bound(to, length))}`;
}

/**
 * The values that a path leads to.
 *
 * @param at - Which item "every item" stands for: a parameter goes with the item that is being written.
 * @throws {Unfit} If it leads nowhere.
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
      if (!isList(value)) return unfit('a list');
      if (slice !== undefined) return value.slice(slice[0] ?? 0, slice[1] ?? value.length);
      return at === undefined ? value : [item(value, at)];
    });
  }
  return values;
}

/** The one value that a parameter's path leads to. @throws {Unfit} If there is none. */
export const pickOne = (roots: Roots, path: Path, at: number): Value => pick(roots, path, at)[0] ?? unfit('a value');
