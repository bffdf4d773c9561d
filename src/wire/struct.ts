import { InvalidParamsError, mayBeRepeated, pathText } from '../errors';

/** The first thing that is wrong with a value: where, and the rest of the sentence "<field> …". */
type Fault = { readonly path: (string | number)[]; readonly rule: string };

/** What values look like that come from outside: from sites, services and the stored state. */
export class Struct<T> {
  /** @returns The first thing that is wrong, or undefined. It never throws, and looks no further. */
  readonly faultOf: (value: unknown) => Fault | undefined;

  constructor(faultOf: (value: unknown) => Fault | undefined) {
    this.faultOf = faultOf;
  }

  /** @returns Whether a value is of this kind. */
  is(value: unknown): value is T {
    return this.faultOf(value) === undefined;
  }
}

/** A member that may be left out, but not be undefined. */
class ExactOptional<T> extends Struct<T> {
  readonly mayBeLeftOut = true;
}

/** The type of the values that a struct takes. */
export type Infer<S> = S extends Struct<infer T> ? T : never;

type Members = Readonly<Record<string, Struct<unknown>>>;

/** The names of the members that may be left out. */
type Optional<M extends Members> = {
  [Name in keyof M]: M[Name] extends ExactOptional<unknown>
    ? Name
    : undefined extends Extract<Infer<M[Name]>, undefined>
      ? Name
      : never;
}[keyof M];

type ObjectOf<M extends Members> = {
  -readonly [Name in Exclude<keyof M, Optional<M>>]: Infer<M[Name]>;
} & { -readonly [Name in Optional<M>]?: Infer<M[Name]> };

type Simplified<T> = { [Name in keyof T]: T[Name] };

/** @returns The fault of a value, or of the member of it that the path leads to. */
export const wrong = (rule: string, ...path: (string | number)[]): Fault => ({ path, rule });

/** The fault of a member, as one of the whole. */
function within(name: string | number, fault: Fault | undefined): Fault | undefined {
  fault?.path.unshift(name);
  return fault;
}

/**
 * A struct with one rule, told in words.
 *
 * @param sentence - The rest of the sentence "<field> …": "must be …".
 */
export const rule = <T>(sentence: string, holds: (value: unknown) => boolean): Struct<T> =>
  new Struct((value) => {
    if (holds(value)) return undefined;
    return wrong(value === undefined ? 'is missing' : sentence);
  });

/** A struct with more rules for what is of its kind. */
export const refine = <T>(struct: Struct<T>, faultOf: (value: T) => Fault | undefined): Struct<T> =>
  new Struct((value) => struct.faultOf(value) ?? faultOf(value as T));

/** A text that a pattern fits. */
export const matching = <T extends string = string>(sentence: string, pattern: RegExp): Struct<T> =>
  rule(sentence, (value) => typeof value === 'string' && pattern.test(value));

const isOf =
  <T>(type: 'string' | 'boolean') =>
  (): Struct<T> =>
    rule(`must be a ${type}`, (value) => typeof value === type);

export const string = isOf<string>('string');
export const boolean = isOf<boolean>('boolean');
export const unknown = (): Struct<unknown> => new Struct(() => undefined);
export const number = (): Struct<number> =>
  rule('must be a number', (value) => typeof value === 'number' && !Number.isNaN(value));

/** A whole number from `least` to `most`. */
export const integer = (least = -Infinity, most = Infinity): Struct<number> =>
  rule(
    `must be an integer${most < Infinity ? ` from ${least} to ${most}` : ''}`,
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  );

export const literal = <const T extends string | number | undefined>(constant: T): Struct<T> =>
  rule(`must be ${JSON.stringify(constant)}`, (value) => value === constant);

export const enums = <const T extends string | number>(values: readonly T[]): Struct<T> =>
  rule(`must be one of ${values.map((value) => JSON.stringify(value)).join(', ')}`, (value) =>
    (values as readonly unknown[]).includes(value),
  );

const alsoTaking =
  <Nothing>(nothing: Nothing) =>
  <T>(struct: Struct<T>): Struct<T | Nothing> =>
    new Struct((value) => (value === nothing ? undefined : struct.faultOf(value)));

export const nullable = alsoTaking(null);
export const optional = alsoTaking(undefined);

export const exactOptional = <T>(struct: Struct<T>): ExactOptional<T> => new ExactOptional(struct.faultOf);

/** @param sentence - What to say of a value that is of none of the kinds. */
export const union = <const S extends readonly Struct<unknown>[]>(
  structs: S,
  sentence = 'is of no known kind',
): Struct<Infer<S[number]>> => rule(sentence, (value) => structs.some((struct) => struct.is(value)));

/** A list of anything. */
export const ListStruct = rule<readonly unknown[]>('must be a list', Array.isArray);

/** A list, its items judged one by one. */
const list = <T>(faultIn: (items: readonly unknown[]) => Fault | undefined): Struct<T> =>
  refine(ListStruct, faultIn) as Struct<unknown> as Struct<T>;

function firstFault(
  items: readonly unknown[],
  count: number,
  structAt: (index: number) => Struct<unknown> | undefined,
): Fault | undefined {
  for (let index = 0; index < count; index++) {
    const struct = structAt(index);
    const fault = struct === undefined ? wrong('is not a known field') : struct.faultOf(items[index]);
    if (fault !== undefined) return within(index, fault);
  }
  return undefined;
}

/** A list of any length. */
export const array = <T>(item: Struct<T>): Struct<T[]> => list((items) => firstFault(items, items.length, () => item));

/** A list of at least one item. */
export const nonempty = <T>(item: Struct<T>): Struct<T[]> =>
  refine(array(item), (items) => (items.length === 0 ? wrong('must be a list that is not empty') : undefined));

/** A list with a struct for each position. */
export const tuple = <const S extends readonly Struct<unknown>[]>(
  structs: S,
): Struct<{ -readonly [Index in keyof S]: Infer<S[Index]> }> =>
  list((items) => firstFault(items, Math.max(items.length, structs.length), (index) => structs[index]));

const ObjectStruct = rule<Readonly<Record<string, unknown>>>(
  'must be an object',
  (value) => typeof value === 'object' && value !== null,
);

function membersFault(value: unknown, members: readonly [string, Struct<unknown>][]): Fault | undefined {
  if (!ObjectStruct.is(value)) return ObjectStruct.faultOf(value);
  for (const [name, struct] of members) {
    if (struct instanceof ExactOptional && !Object.hasOwn(value, name)) continue;
    const fault = struct.faultOf(value[name]);
    if (fault !== undefined) return within(name, fault);
  }
  return undefined;
}

/** An object with these members, and whatever else. */
export function type<const M extends Members>(members: M): Struct<Simplified<ObjectOf<M>>> {
  const entries = Object.entries(members);
  return new Struct((value) => membersFault(value, entries));
}

/** An object with these members, and no others. */
export const object = <const M extends Members>(members: M): Struct<Simplified<ObjectOf<M>>> =>
  refine(type(members), (value) => {
    const extra = Object.keys(value).find((name) => !Object.hasOwn(members, name));
    if (extra === undefined) return undefined;
    return mayBeRepeated(extra) ? wrong('is not a known field', extra) : wrong('has a field that is not known');
  });

/** An object with members of one kind, whatever their names. A list has members too, and is none. */
export const membersOf = <T>(member: Struct<T>): Struct<Record<string, T>> =>
  new Struct((value) =>
    Array.isArray(value)
      ? wrong('must be an object')
      : membersFault(value, ObjectStruct.is(value) ? Object.keys(value).map((name) => [name, member]) : []),
  );

/** `names[0].member[2]`: the path, the positions in the parameter list given their names. */
function fieldOf([first, ...rest]: Fault['path'], root: string, names: readonly string[]): string {
  if (first === undefined) return root;
  const named = typeof first === 'number' ? names[first] : undefined;
  const field = named === undefined ? '' : pathText(named, rest).replace(/^\./u, '');
  return field === '' ? pathText(root, [first, ...rest]) : field;
}

/**
 * @param value - Anything that came from outside.
 * @param root - What to call it in a refusal.
 * @param names - Where the value is a parameter list: the name of each position; '' for an object whose members are
 * named alone.
 * @returns The value, now known to be of the struct's type.
 * @throws {InvalidParamsError} Naming the first field that is wrong and its rule, never its value.
 */
export function parse<T>(struct: Struct<T>, value: unknown, root: string, names: readonly string[] = []): T {
  const fault = struct.faultOf(value);
  if (fault === undefined) return value as T;
  throw new InvalidParamsError(fieldOf(fault.path, root, names), fault.rule);
}
