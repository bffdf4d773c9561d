import * as superstruct from '@metamask/superstruct';
import { type AnyStruct, ExactOptionalStruct, type Infer, type ObjectSchema, Struct } from '@metamask/superstruct';

import { InvalidParamsError, mayBeRepeated, pathText } from '../errors';

export { exactOptional, type Infer, nullable, optional, Struct, unknown } from '@metamask/superstruct';

/**
 * Validates without the members that are null where they may be left out. Libraries write an absent member that way;
 * where null has a meaning of its own (`to`), the member stays. The value itself is not changed.
 */
const WITHOUT_NULLS = { coerce: true } as const;

/** A rule that a value breaks, and the path from the value to the offending member. */
export type Fault = { readonly path: (string | number)[]; readonly rule: string };

/** @returns A fault of a value, or of its member at `path`. */
export const wrong = (rule: string, ...path: (string | number)[]): Fault => ({ path, rule });

/** The library's own messages quote the rejected value. This one states only the rule. */
const verdict = (holds: boolean, value: unknown, sentence: string): true | string =>
  holds || (value === undefined ? 'is missing' : sentence);

/** Replaces the error message of a library struct. */
const withMessage = <T, S>(struct: Struct<T, S>, sentence: string, holds: (value: unknown) => boolean): Struct<T, S> =>
  new Struct({ ...struct, validator: (value) => verdict(holds(value), value, sentence) });

/**
 * A struct with a single rule.
 *
 * @param sentence - The rule as the rest of the sentence "<field> …": "must be …".
 */
export const rule = <T>(sentence: string, holds: (value: unknown) => boolean): Struct<T, null> =>
  superstruct.define('rule', (value) => verdict(holds(value), value, sentence));

/** Adds a rule to a struct. */
export const refine = <T, S>(struct: Struct<T, S>, faultIn: (value: T) => Fault | undefined): Struct<T, S> =>
  superstruct.refine(struct, 'rule', (value, { path }) => {
    const fault = faultIn(value);
    return fault === undefined || { message: fault.rule, path: [...path, ...fault.path] };
  });

/** A string that matches a pattern. */
export const matching = <T extends string = string>(sentence: string, pattern: RegExp): Struct<T, null> =>
  rule(sentence, (value) => typeof value === 'string' && pattern.test(value));

export const string = (): Struct<string, null> => rule('must be a string', (value) => typeof value === 'string');
export const boolean = (): Struct<boolean, null> => rule('must be a boolean', (value) => typeof value === 'boolean');
export const number = (): Struct<number, null> =>
  rule('must be a number', (value) => typeof value === 'number' && !Number.isNaN(value));

/** An integer from `least` to `most`. */
export const integer = (least = -Infinity, most = Infinity): Struct<number, null> =>
  rule(
    `must be an integer${most < Infinity ? ` from ${least} to ${most}` : ''}`,
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  );

export const literal = <const T extends string | number | undefined>(constant: T): Struct<T, null> =>
  rule(`must be ${JSON.stringify(constant)}`, (value) => value === constant);

export const enums = <const T extends string | number>(values: readonly T[]): Struct<T, null> =>
  rule(`must be one of ${values.map((value) => JSON.stringify(value)).join(', ')}`, (value) =>
    (values as readonly unknown[]).includes(value),
  );

/** @param sentence - The error message for a value that matches none of the structs. */
export const union = <const S extends readonly AnyStruct[]>(
  structs: S,
  sentence = 'does not have any of the supported forms',
): Struct<Infer<S[number]>, null> =>
  new Struct({
    ...rule<Infer<S[number]>>(sentence, (value) => structs.some((struct) => struct.is(value))),
    coercer: (value) => {
      for (const struct of structs) {
        const [error, result] = struct.validate(value, WITHOUT_NULLS);
        if (error === undefined) return result as unknown;
      }
      return value;
    },
  });

const MUST_BE_LIST = 'must be a list';

/** A list with items of any type. */
// Pure, so that a bundler drops it from a page that does not use it.
export const ListStruct = /* @__PURE__ */ rule<readonly unknown[]>(MUST_BE_LIST, Array.isArray);

/** A list of any length. */
export const array = <T, S>(item: Struct<T, S>): Struct<T[], Struct<T, S>> =>
  withMessage(superstruct.array(item), MUST_BE_LIST, Array.isArray);

/** A list of at least one item. */
export const nonempty = <T, S>(item: Struct<T, S>): Struct<T[], Struct<T, S>> =>
  refine(array(item), (items) => (items.length === 0 ? wrong('must be a non-empty list') : undefined));

const NOT_KNOWN = 'is not a known field';

/** @returns Whether a member or an item is null and may be left out. */
const isLeftOut = (value: unknown, struct: AnyStruct): boolean =>
  value === null && !struct.is(null) && (ExactOptionalStruct.isExactOptional(struct) || struct.is(undefined));

type Items<S extends readonly AnyStruct[]> = { -readonly [Index in keyof S]: Infer<S[Index]> };

/** A list that begins with a struct for each position. More items are ignored, as by every wallet. */
export const startingWith = <const S extends readonly AnyStruct[]>(structs: S): Struct<Items<S>, null> =>
  new Struct<Items<S>, null>({
    type: 'tuple',
    schema: null,
    coercer: (value) =>
      Array.isArray(value)
        ? value.map((item: unknown, index) => {
            const struct = structs[index];
            return struct && isLeftOut(item, struct) ? undefined : item;
          })
        : value,
    validator: (value) => verdict(Array.isArray(value), value, MUST_BE_LIST),
    *entries(value) {
      if (!Array.isArray(value)) return;
      for (const [index, struct] of structs.entries()) yield [index, (value as unknown[])[index], struct];
    },
  });

/** A list with a struct for each position and no additional items. */
export const tuple = <const S extends readonly AnyStruct[]>(structs: S): Struct<Items<S>, null> =>
  refine(startingWith(structs), (items) =>
    items.length > structs.length ? wrong(NOT_KNOWN, structs.length) : undefined,
  );

const MUST_BE_OBJECT = 'must be an object';
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An object with these members. Other members are allowed. */
export const type = <const M extends ObjectSchema>(members: M) =>
  new Struct({
    ...withMessage(superstruct.type(members), MUST_BE_OBJECT, isObject),
    coercer: (value) => {
      if (!isObject(value) || Array.isArray(value)) return value;
      const isKept = ([name, member]: [string, unknown]): boolean => {
        const struct = Object.hasOwn(members, name) ? members[name] : undefined;
        return struct === undefined || !isLeftOut(member, struct);
      };
      return Object.fromEntries(Object.entries(value).filter(isKept));
    },
  });

/** An object with exactly these members. */
export const object = <const M extends ObjectSchema>(members: M) =>
  refine(type(members), (value) => {
    const extra = Object.keys(value).find((name) => !Object.hasOwn(members, name));
    if (extra === undefined) return undefined;
    return mayBeRepeated(extra) ? wrong(NOT_KNOWN, extra) : wrong('has an unknown field');
  });

/** An object whose members all match one struct, under any name. Lists are not accepted. */
export const membersOf = <T, S>(member: Struct<T, S>): Struct<Record<string, T>, null> =>
  new Struct({
    ...withMessage(
      superstruct.record(superstruct.string(), member),
      MUST_BE_OBJECT,
      (value) => isObject(value) && !Array.isArray(value),
    ),
    coercer: (value) => (isObject(value) && !Array.isArray(value) ? { ...value } : value),
  });

/** The library prefixes its message with the path. The prefix is removed, because the field is named elsewhere. */
function faultIn({ message, path }: superstruct.StructError): Fault {
  const isOfMember = path.length > 0;
  return wrong(
    isOfMember ? message.slice(`At path: ${path.join('.')} -- `.length) : message,
    ...(path as Fault['path']),
  );
}

/** The first fault of a value, or undefined if it is valid. Validation stops at the first fault. */
export function faultOf(struct: AnyStruct, value: unknown): Fault | undefined {
  const [error] = struct.validate(value, WITHOUT_NULLS);
  return error && faultIn(error);
}

/** @returns The value without the members that are null where they may be left out; undefined if it is invalid. */
export const accepted = <T>(struct: Struct<T>, value: unknown): T | undefined =>
  struct.validate(value, WITHOUT_NULLS)[1];

/** The path as text, such as `names[0].member[2]`, with the named positions of a parameter list. */
function fieldOf([first, ...rest]: Fault['path'], root: string, names: readonly string[]): string {
  if (first === undefined) return root;
  const named = typeof first === 'number' ? names[first] : undefined;
  const field = named === undefined ? '' : pathText(named, rest).replace(/^\./u, '');
  return field === '' ? pathText(root, [first, ...rest]) : field;
}

/**
 * Validates a value from outside.
 *
 * @param value - Any value.
 * @param root - The name of the value in error messages.
 * @param names - For a parameter list, the name of each position; '' for an object whose members are named without a
 * prefix.
 * @returns The value, typed, without the members that are null where they may be left out.
 * @throws {InvalidParamsError} If the value is invalid; names the first invalid field and its rule, never its value.
 */
export function parse<T, S>(struct: Struct<T, S>, value: unknown, root: string, names: readonly string[] = []): T {
  const [error, result] = struct.validate(value === null && isLeftOut(null, struct) ? undefined : value, WITHOUT_NULLS);
  if (error === undefined) return result;
  const fault = faultIn(error);
  throw new InvalidParamsError(fieldOf(fault.path, root, names), fault.rule);
}

/**
 * Checks a value from outside, and gives it its type; throws if it does not match. A struct of superstruct is one.
 *
 * @example
 * ```ts
 * const text: Checker<string> = {
 *   create: (value) => {
 *     if (typeof value !== 'string') throw new TypeError('must be a string');
 *     return value;
 *   },
 * };
 * text.create('Geth/v1.16'); // => 'Geth/v1.16'
 * ```
 */
export type Checker<T> = {
  /** Returns the value if it matches; throws otherwise. */
  readonly create: (value: unknown) => T;
};
