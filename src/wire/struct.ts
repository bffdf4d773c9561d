import { define, type Failure, type Struct, validate } from '@metamask/superstruct';

import { InvalidParamsError } from '../errors';

/**
 * A struct with one rule, told in words.
 *
 * @param rule - The rest of the sentence "<field> …": "must be …".
 */
export const rule = <T>(name: string, sentence: string, holds: (value: unknown) => boolean): Struct<T, null> =>
  define<T>(name, (value) => holds(value) || sentence);

const article = (noun: string): string => (/^[aeiou]/u.test(noun) ? `an ${noun}` : `a ${noun}`);

/** What superstruct says, without the value it quotes: a value may be a secret. */
function sentenceOf({ type, message, value }: Failure): string {
  if (type === 'never') return 'is not a known field';
  if (value === undefined) return 'is missing';
  if (!message.startsWith('Expected')) return message;
  if (type === 'tuple' || type === 'array') return 'must be a list';
  const expected = /^Expected (?:the literal |the value to satisfy a union of |(?=one of ))(.+?),? but received/su.exec(
    message,
  )?.[1];
  return `must be ${expected?.replaceAll('`', '').replaceAll(',', ', ') ?? article(type)}`;
}

/** `names[0].member[2]`: the path of superstruct, the positions in the parameter list given their names. */
function fieldOf(path: readonly unknown[], root: string, names: readonly string[]): string {
  const [first, ...rest] = path;
  if (first === undefined) return root;
  const named = typeof first === 'number' ? names[first] : undefined;
  const start = named ?? (typeof first === 'number' ? `${root}[${first}]` : `${root}.${String(first)}`);
  return start + rest.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
}

/**
 * @param value - Anything that came from outside.
 * @param root - What to call it in a refusal.
 * @param names - Where the value is a parameter list: the name of each position.
 * @returns The value, now known to be of the struct's type.
 * @throws {InvalidParamsError} Naming the first field that is wrong and its rule, never its value.
 */
export function parse<T, S>(struct: Struct<T, S>, value: unknown, root: string, names: readonly string[] = []): T {
  const [error, parsed] = validate(value, struct);
  if (error === undefined) return parsed;
  const [failure] = error.failures();
  if (failure === undefined) throw new InvalidParamsError(root, 'is not of the right shape');
  throw new InvalidParamsError(fieldOf(failure.path, root, names), sentenceOf(failure));
}
