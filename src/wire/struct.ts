import { define, record, refine, string, type Struct, type StructError, validate } from '@metamask/superstruct';

import { InvalidParamsError } from '../errors';

/**
 * A struct with one rule, told in words.
 *
 * @param rule - The rest of the sentence "<field> …": "must be …".
 */
export const rule = <T>(name: string, sentence: string, holds: (value: unknown) => boolean): Struct<T, null> =>
  define<T>(name, (value) => holds(value) || sentence);

/** An object with members of one kind. A list has members too, and is none. */
export const membersOf = <T>(member: Struct<T, unknown>) =>
  refine(record(string(), member), 'object', (value) => !Array.isArray(value) || 'must be an object');

const article = (noun: string): string => (/^[aeiou]/iu.test(noun) ? `an ${noun}` : `a ${noun}`);

/** Names that may be repeated in a sentence. Others could be anything, a secret among it. */
const NAME = /^[A-Za-z_$][A-Za-z0-9_$:]{0,39}$/u;

/** The first thing that is wrong. */
type Fault = Pick<StructError, 'path' | 'type' | 'value' | 'message'>;

/** Its `failures` would be all that is wrong, which is as much work as whoever sent it likes. */
function firstFault({ path, type, value, message }: StructError): Fault {
  const prefix = `At path: ${path.join('.')} -- `;
  return { path, type, value, message: message.startsWith(prefix) ? message.slice(prefix.length) : message };
}

/** What superstruct says, without the value it quotes: a value may be a secret. */
function sentenceOf({ type, message, value }: Fault): string {
  if (value === undefined) return 'is missing';
  if (!message.startsWith('Expected')) return message;
  if (type === 'tuple' || type === 'array') return 'must be a list';
  if (type === 'record' || type === 'object' || type === 'type') return 'must be an object';
  if (message.includes('array | record')) return 'must be a list or an object';
  const expected = /^Expected (?:the literal |the value to satisfy a union of |(?=one of ))(.+?),? but received/su.exec(
    message,
  )?.[1];
  return `must be ${expected?.replaceAll('`', '').replaceAll(',', ', ') ?? article(type)}`;
}

const stepOf = (step: unknown): string => {
  if (typeof step === 'number') return `[${step}]`;
  return typeof step === 'string' && NAME.test(step) ? `.${step}` : '[…]';
};

/** `names[0].member[2]`: the path of superstruct, the positions in the parameter list given their names. */
function fieldOf([first, ...rest]: readonly unknown[], root: string, names: readonly string[]): string {
  if (first === undefined) return root;
  const named = typeof first === 'number' ? names[first] : undefined;
  return (named ?? root + stepOf(first)) + rest.map(stepOf).join('');
}

function refusalOf(fault: Fault, root: string, names: readonly string[]): InvalidParamsError {
  const { path, type } = fault;
  if (type !== 'never') return new InvalidParamsError(fieldOf(path, root, names), sentenceOf(fault));
  const unknownName: unknown = path.at(-1);
  return typeof unknownName === 'number' || NAME.test(String(unknownName))
    ? new InvalidParamsError(fieldOf(path, root, names), 'is not a known field')
    : new InvalidParamsError(fieldOf(path.slice(0, -1), root, names), 'has a field that is not known');
}

/** Nothing of ours nests deeper. */
const MAX_PRINTED_DEPTH = 32;

/**
 * The value with members such as `toString` under another name, which no struct of ours knows either, and with
 * something that no struct takes in place of what is nested too deep.
 */
function printable(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_PRINTED_DEPTH) return Number.NaN;
  if (Array.isArray(value)) return value.map((item) => printable(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name in Object.prototype ? `${name} ` : name,
      printable(member, depth + 1),
    ]),
  );
}

/**
 * superstruct prints what it refuses, and fails itself on an object whose `toString` is not a function, and on
 * lists in lists without end.
 */
function judge<T, S>(struct: Struct<T, S>, value: unknown): ReturnType<typeof validate<T, S>> {
  try {
    return validate(value, struct);
  } catch {
    return validate(printable(value), struct);
  }
}

/**
 * @param value - Anything that came from outside.
 * @param root - What to call it in a refusal.
 * @param names - Where the value is a parameter list: the name of each position.
 * @returns The value, now known to be of the struct's type.
 * @throws {InvalidParamsError} Naming the first field that is wrong and its rule, never its value.
 */
export function parse<T, S>(struct: Struct<T, S>, value: unknown, root: string, names: readonly string[] = []): T {
  const [error, parsed] = judge(struct, value);
  if (error === undefined) return parsed;
  throw refusalOf(firstFault(error), root, names);
}

/** @returns Whether anything that came from outside is of the struct's type. It never throws. */
export const fits = <T, S>(value: unknown, struct: Struct<T, S>): value is T => judge(struct, value)[0] === undefined;
