import { RequestError } from '../errors';

type OptionValue = string | number | boolean;

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

const BOOLEANS = new Map([
  ['', true],
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

/** Reads a decimal integer; above 2^53, beyond any real size, the result is the largest safe integer. */
const readInteger =
  (bits: number) =>
  (text: string): number | undefined => {
    if (!/^-?\d{1,19}$/.test(text) || BigInt.asIntN(bits, BigInt(text)) !== BigInt(text)) return undefined;
    return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(text), Number.MAX_SAFE_INTEGER));
  };

export const bool = (...aliases: string[]): Option<boolean> => ({
  type: 'bool',
  aliases,
  read: (text) => BOOLEANS.get(text),
});
export const int = (...aliases: string[]): Option<number> => ({ type: 'int', aliases, read: readInteger(32) });
export const int64 = (...aliases: string[]): Option<number> => ({ type: 'int64', aliases, read: readInteger(64) });
/** An integer as above or, if it begins with 0, an octal one, as clients write permissions. */
export const mode = (): Option<number> => ({
  type: 'int',
  aliases: [],
  read: (text) => (/^0[0-7]{1,9}$/.test(text) ? parseInt(text, 8) : readInteger(32)(text)),
});
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

/**
 * Reads the options of a request; unknown names are ignored, as in Kubo.
 *
 * @throws RequestError 400 for a value of the wrong type or an option given twice.
 */
export function readOptions<Table extends OptionTable>(query: URLSearchParams, table: Table): OptionValues<Table> {
  const options: Record<string, OptionValue> = {};
  for (const [name, { aliases, type, read }] of Object.entries(table)) {
    const values = [name, ...aliases].flatMap((each) => query.getAll(each));
    if (values.length > 1) {
      throw new RequestError(400, `expected key ${name} to have only a single value, received [${values.join(' ')}]`);
    }
    const [value] = values;
    if (value === undefined) continue;
    const parsed = read(value);
    if (parsed === undefined) {
      throw new RequestError(
        400,
        `could not convert value ${JSON.stringify(value)} to type ${JSON.stringify(type)} (for option "-${name}")`,
      );
    }
    options[name] = parsed;
  }
  // Every name and its type come from `table`, which is what the result type is computed from.
  return options as OptionValues<Table>;
}
