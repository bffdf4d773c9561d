import { RequestError } from '../errors';

export type OptionValue = string | number | boolean;

/** One flag of a command: how its text becomes a value, and its short names. */
export type Option<T extends OptionValue> = {
  /** The Go type, as error messages name it. */
  readonly type: string;
  readonly aliases: readonly string[];
  readonly read: (text: string) => T | undefined;
};

export type OptionTable = Readonly<Record<string, Option<OptionValue>>>;

/** The values of a table's options; undefined where the request does not give one. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer T> ? T | undefined : never;
};

const TRUE = new Set(['', '1', 't', 'T', 'true', 'TRUE', 'True']);
/** Of the longest number, in binary, with its sign. */
const MAX_INTEGER_LENGTH = 67;
const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/** Of as many bits as in Go; beyond 2^53, where no size of anything lies, the nearest number that is exact. */
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

/** Options every command takes. Those a server has no use for are read and ignored. */
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
  /** Ours: ends a stream of objects that failed with an error object, for clients that cannot read trailers. */
  'stream-error': bool(),
} satisfies OptionTable;

/**
 * Reads the options of a request; names nobody knows are ignored, as in Kubo.
 *
 * @throws RequestError 400 for a value of the wrong type or an option given twice.
 */
export function readOptions<Table extends OptionTable>(query: URLSearchParams, table: Table): OptionValues<Table> {
  const given = new Map<string, string>();
  // Most requests have no query; the way through every name is not free.
  const names = query.size === 0 ? [] : Object.entries(table);
  for (const [name, { aliases }] of names) {
    const values = [name, ...aliases].flatMap((key) => query.getAll(key));
    if (values.length > 1) {
      throw new RequestError(400, `expected key ${name} to have only a single value, received [${values.join(' ')}]`);
    }
    const [value] = values;
    if (value !== undefined) given.set(name, value);
  }
  const entries = [...given].map(([name, value]) => {
    const option = table[name];
    const read = option?.read(value);
    if (option === undefined || read === undefined) {
      throw new RequestError(
        400,
        `could not convert value ${JSON.stringify(value)} to type ${JSON.stringify(option?.type)} (for option "-${name}")`,
      );
    }
    return [name, read] as const;
  });
  // Every name and its type come from `table`, which is what the result type is computed from.
  return Object.fromEntries(entries) as OptionValues<Table>;
}
