import { RequestError } from '../errors';

export type OptionValue = string | number | boolean;

/** One option of a command: how to parse it, and its short names. */
export type Option<T extends OptionValue> = {
  /** The Go type, as in error messages. */
  readonly type: string;
  readonly aliases: readonly string[];
  readonly read: (text: string) => T | undefined;
};

export type OptionTable = Readonly<Record<string, Option<OptionValue>>>;

/** The values of a table's options; undefined if not given. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer T> ? T | undefined : never;
};

const TRUE = new Set(['', '1', 't', 'T', 'true', 'TRUE', 'True']);
/** The longest number: in binary, with its sign. */
const MAX_INTEGER_LENGTH = 67;
const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/**
 * Parses an integer with as many bits as in Go; above 2^53, beyond any real size, the result is the largest safe
 * integer.
 */
const readInteger =
  (bits: bigint) =>
  (text: string): number | undefined => {
    const match = /^([+-]?)(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|\d+)$/.exec(text);
    if (match === null || text.length > MAX_INTEGER_LENGTH) return undefined;
    const [, sign, digits = ''] = match;
    const size = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits);
    const isNegative = sign === '-' && size !== 0n;
    if (size > 2n ** (bits - 1n) - (isNegative ? 0n : 1n)) return undefined;
    const value = Math.min(Number(size), Number.MAX_SAFE_INTEGER);
    return isNegative ? -value : value;
  };

export const bool = (...aliases: string[]): Option<boolean> => ({
  type: 'bool',
  aliases,
  read: (text) => (TRUE.has(text) ? true : FALSE.has(text) ? false : undefined),
});
export const int = (...aliases: string[]): Option<number> => ({ type: 'int', aliases, read: readInteger(32n) });
export const int64 = (...aliases: string[]): Option<number> => ({ type: 'int64', aliases, read: readInteger(64n) });
export const text = (...aliases: string[]): Option<string> => ({ type: 'string', aliases, read: (value) => value });

/** Options that every command accepts. Those without meaning on a server are parsed and ignored. */
export const COMMON_OPTIONS = {
  encoding: text('enc'),
  timeout: text(),
  'cid-base': text(),
  'upgrade-cidv0-in-output': bool(),
  'stream-channels': bool(),
  offline: bool(),
  local: bool('L'),
  debug: bool('D'),
  help: bool('h'),
  api: text(),
  config: text('c'),
  'repo-dir': text(),
  /** Our extension: ends a failed stream of objects with an error object, for clients that cannot read trailers. */
  'stream-error': bool(),
} satisfies OptionTable;

const NONE: OptionTable = {};

/** Each table is declared once, so its names are computed once instead of per request. */
const names = new WeakMap<OptionTable, ReadonlyMap<string, string>>();

/** Every name of the table's options, including short ones, with the option's main name. */
function namesOf(table: OptionTable): ReadonlyMap<string, string> {
  const known = names.get(table);
  if (known !== undefined) return known;
  const found = new Map(
    Object.entries(table).flatMap(([name, { aliases }]) => [name, ...aliases].map((given) => [given, name] as const)),
  );
  names.set(table, found);
  return found;
}

/**
 * Reads the options of a request; unknown names are ignored, as in Kubo.
 *
 * @param query - The request's query.
 * @param table - The options.
 * @param taken - Options that take precedence over those of the table if their names collide.
 * @throws RequestError 400 for a value of the wrong type or an option given twice.
 */
export function readOptions<Table extends OptionTable>(
  query: URLSearchParams,
  table: Table,
  taken: OptionTable = NONE,
): OptionValues<Table> {
  const given = new Map<string, string[]>();
  for (const [key, value] of query) {
    const name = namesOf(table).get(key);
    if (name === undefined || namesOf(taken).has(key)) continue;
    const values = given.get(name);
    if (values === undefined) given.set(name, [value]);
    else values.push(value);
  }
  const options: Record<string, OptionValue> = {};
  for (const [name, values] of given) {
    if (values.length > 1) {
      throw new RequestError(400, `expected key ${name} to have only a single value, received [${values.join(' ')}]`);
    }
  }
  for (const [name, [value = '']] of given) {
    const option = table[name];
    const read = option?.read(value);
    if (option === undefined || read === undefined) {
      throw new RequestError(
        400,
        `could not convert value ${JSON.stringify(value)} to type ${JSON.stringify(option?.type)} (for option "-${name}")`,
      );
    }
    options[name] = read;
  }
  // Every name and its type come from `table`, which is what the result type is computed from.
  return options as OptionValues<Table>;
}
