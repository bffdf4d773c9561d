import { validate } from '@metamask/superstruct';
import { type Command, InvalidArgumentError } from 'commander';

import type { KeyChange } from '../keys';
import { type KeyLimits, KeyLimitsStruct, MAX_ENTRIES } from '../keys/limits';
import { CommandError } from '../storage/errors';
import { wholeNumber } from './command';
import { methodsOf, type ServiceConfig } from './config';
import { nearest } from './nearest';

/** Takes a setting away. No null: commander takes it for an option without a value. */
export const NO_LIMIT = Symbol('no limit');

/** What an option gives. */
type Given<Value> = Value | typeof NO_LIMIT;

/** @returns The value of an option; null if it takes the setting away. */
export const valueOf = <Value>(given: Given<Value> | undefined): Value | null | undefined =>
  given === NO_LIMIT ? null : given;

/** The limits of a key as options give them. */
export type LimitOptions = { [Name in keyof KeyLimits]: Given<KeyLimits[Name]> } & { until?: Given<number> };

/** A name must fit on one line of a table in a terminal. */
export function keyName(text: string): string {
  if (!/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{0,100}$/u.test(text))
    throw new InvalidArgumentError('Use at most 100 characters, without control characters.');
  return text;
}

const ANY = 'any';

/** A number, or the word for none. */
const numberOr =
  (word: string) =>
  (text: string): Given<number> =>
    text === word ? NO_LIMIT : wholeNumber(0, Number.MAX_SAFE_INTEGER)(text);

export const dailyCredits = numberOr('default');

const positive = (text: string): Given<number> =>
  text === ANY ? NO_LIMIT : wholeNumber(1, Number.MAX_SAFE_INTEGER)(text);

type Lists = Pick<KeyLimits, 'methods' | 'addresses' | 'origins' | 'networks' | 'storage'>;

/** A list with commas: `any` allows everything, `none` nothing. */
const listOf =
  (name: keyof Lists, rule: string) =>
  (text: string): Given<string[]> => {
    if (text === ANY) return NO_LIMIT;
    const entries = text === 'none' ? [] : text.split(',').map((entry) => entry.trim());
    const list = name === 'methods' ? entries : entries.map((entry) => entry.toLowerCase());
    if (list.length > MAX_ENTRIES) throw new InvalidArgumentError(`Give at most ${MAX_ENTRIES} entries.`);
    const wrong = list.find((entry) => validate({ [name]: [entry] }, KeyLimitsStruct)[0] !== undefined);
    if (wrong !== undefined) throw new InvalidArgumentError(`${JSON.stringify(wrong)}: ${rule}`);
    return list;
  };

/** A day or a moment, as milliseconds since the Unix epoch. */
function moment(text: string): Given<number> {
  if (text === 'never') return NO_LIMIT;
  const time = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z)?$/u.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('Give a day (2027-01-31) or a UTC time (2027-01-31T12:00Z).');
  return time;
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration such as `30m`, in milliseconds. */
export function duration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([smhd])$/u.exec(text) ?? [];
  const milliseconds = Number(count) * (UNITS[unit] ?? NaN);
  if (Number.isNaN(milliseconds)) throw new InvalidArgumentError('Give a number with a unit: 0s, 30m, 24h or 7d.');
  return milliseconds;
}

/** Adds the options for what a key may do. */
export function addLimitOptions(command: Command): Command {
  return command
    .option('--methods <list>', 'only these JSON-RPC methods', listOf('methods', 'not the name of a method'))
    .option(
      '--addresses <list>',
      'only these contracts and accounts in parameters',
      listOf('addresses', 'use 0x and 40 hex digits'),
    )
    .option(
      '--origins <list>',
      'only these origins of web pages, such as https://*.example.com',
      listOf('origins', 'use a host, with a scheme or without, such as https://*.example.com; or null'),
    )
    .option(
      '--networks <list>',
      'only these networks, or none',
      listOf('networks', 'use lower-case letters, digits and dashes'),
    )
    .option('--storage <list>', 'only read, write or pin, or none', listOf('storage', 'use read, write or pin'))
    .option('--requests-per-second <count>', 'requests a second, in each process', positive)
    .option('--requests-per-day <count>', 'JSON-RPC requests a day', positive)
    .option('--credits-per-second <count>', 'credits a second, in each process', positive)
    .option('--pinned-bytes <count>', 'bytes that its pins may hold together', positive)
    .option('--until <date>', 'when the key ends, such as 2027-01-31', moment);
}

/** @throws {CommandError} If an entry is none of the names: the key could do nothing by it. */
function checkNames(name: 'methods' | 'networks', entries: unknown, known: readonly string[], rule: string): void {
  const wrong = Array.isArray(entries) ? (entries as string[]).find((entry) => !known.includes(entry)) : undefined;
  if (wrong === undefined) return;
  const close = nearest(wrong, known);
  const meant = close === undefined ? '' : ` (did you mean ${close}?)`;
  throw new CommandError(`--${name}: ${wrong} is not ${rule}${meant}; give --config if the service has one`);
}

/**
 * @returns The limits among the options; a limit that is not given is absent.
 * @throws {CommandError} If a name is unknown.
 */
export function limitsIn(options: LimitOptions, config: ServiceConfig): Pick<KeyChange, 'limits' | 'endsAt'> {
  const { until, methods, networks } = options;
  checkNames('methods', methods, methodsOf(config), 'a method that the service answers');
  const known = config.networks.map(({ name }) => name);
  checkNames('networks', networks, known, `a network of the service (${known.join(', ')})`);
  const names = Object.keys(KeyLimitsStruct.schema) as (keyof KeyLimits)[];
  const given = names
    .filter((name) => options[name] !== undefined)
    .map((name) => [name, valueOf<unknown>(options[name])] as const);
  return { limits: Object.fromEntries(given), endsAt: valueOf(until) };
}

/** @returns The limits in one line. */
export function limitsText(limits: KeyLimits = {}): string {
  return Object.entries(limits)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(', ') || 'none' : value}`)
    .join('; ');
}
