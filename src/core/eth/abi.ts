import { fromHex, type Hex } from './bytes';

/** How much may still be read: shared by all that is read for one explanation. */
export type WorkBudget = { words: number };

/** For what is read once, and as far as it is data at all. */
export const UNBOUNDED: WorkBudget = { words: Infinity };

/** Hex digits of ABI-encoded data, without 0x. Positions and lengths below are in digits. */
type Reader = { readonly digits: string; readonly budget: WorkBudget };

/**
 * One type of the contract ABI: its canonical name, and how its value is read.
 *
 * The reading follows Solidity's: offsets may point anywhere in the data, trailing bytes do not matter.
 */
export type AbiType<Value> = {
  readonly name: string;
  readonly dynamic: boolean;
  /** 32-byte words that it takes in the head. */
  readonly words: number;
  readonly read: (reader: Reader, at: number) => Value;
};

export type ValuesOf<Types extends readonly AbiType<unknown>[]> = {
  [Index in keyof Types]: Types[Index] extends AbiType<infer Value> ? Value : never;
};

const WORD = 64;

/** Why there are no values: the data does not hold them, or holds more than may be read. */
export type Misfit = 'mismatch' | 'too-large';

class Unreadable extends Error {
  constructor(readonly why: Misfit) {
    super(why);
  }
}

const mismatch = (): never => {
  throw new Unreadable('mismatch');
};

function wordAt({ digits, budget }: Reader, at: number): string {
  if (--budget.words < 0) throw new Unreadable('too-large');
  const word = digits.slice(at, at + WORD);
  return word.length === WORD ? word : mismatch();
}

/** A length or an offset, in digits: what does not fit the data fits nowhere. */
function extentAt(reader: Reader, at: number): number {
  const word = wordAt(reader, at);
  if (!word.startsWith('0'.repeat(WORD - 12))) mismatch();
  const extent = 2 * Number.parseInt(word.slice(-12), 16);
  return extent <= reader.digits.length ? extent : mismatch();
}

/** An unsigned integer; higher bits that are not zero are no value of the type. */
export const uint = (bits: number): AbiType<bigint> => ({
  name: `uint${bits}`,
  dynamic: false,
  words: 1,
  read: (reader, at) => {
    const value = BigInt(`0x${wordAt(reader, at)}`);
    return value >> BigInt(bits) === 0n ? value : mismatch();
  },
});
export const uint256 = uint(256);

export const bool: AbiType<boolean> = {
  name: 'bool',
  dynamic: false,
  words: 1,
  read: (reader, at) => {
    const value = BigInt(`0x${wordAt(reader, at)}`);
    return value <= 1n ? value === 1n : mismatch();
  },
};

/** Lower case. */
export const address: AbiType<Hex> = {
  name: 'address',
  dynamic: false,
  words: 1,
  read: (reader, at) => {
    const word = wordAt(reader, at);
    return word.startsWith('0'.repeat(24)) ? `0x${word.slice(24)}` : mismatch();
  },
};

/** A signed integer in two's complement; other higher bits than those of the sign are no value of the type. */
export const int = (bits: number): AbiType<bigint> => ({
  name: `int${bits}`,
  dynamic: false,
  words: 1,
  read: (reader, at) => {
    const word = BigInt(`0x${wordAt(reader, at)}`);
    const value = BigInt.asIntN(bits, word);
    return BigInt.asUintN(256, value) === word ? value : mismatch();
  },
});

/** `bytes1` to `bytes32`; digits behind the value that are not zero are no value of the type. */
export const fixedBytes = (length: number): AbiType<Hex> => ({
  name: `bytes${length}`,
  dynamic: false,
  words: 1,
  read: (reader, at) => {
    const word = wordAt(reader, at);
    return /^0*$/u.test(word.slice(2 * length)) ? `0x${word.slice(0, 2 * length)}` : mismatch();
  },
});
export const bytes32 = fixedBytes(32);

/** Bytes of any length, as digits without 0x. */
export const bytes: AbiType<string> = {
  name: 'bytes',
  dynamic: true,
  words: 1,
  read: (reader, at) => {
    const length = extentAt(reader, at);
    const content = reader.digits.slice(at + WORD, at + WORD + length);
    return content.length === length ? content : mismatch();
  },
};

/** Values one after the other, their offsets counted from `at`. */
function readAll(reader: Reader, at: number, types: readonly AbiType<unknown>[]): unknown[] {
  let head = at;
  return types.map((type) => {
    const value = type.read(reader, type.dynamic ? at + extentAt(reader, head) : head);
    head += type.words * WORD;
    return value;
  });
}

const namesOf = (types: readonly AbiType<unknown>[]): string => `(${types.map(({ name }) => name).join(',')})`;

export function tuple<const Types extends readonly AbiType<unknown>[]>(...types: Types): AbiType<ValuesOf<Types>> {
  const dynamic = types.some((type) => type.dynamic);
  return {
    name: namesOf(types),
    dynamic,
    words: dynamic ? 1 : types.reduce((sum, { words }) => sum + words, 0),
    read: (reader, at) => readAll(reader, at, types) as ValuesOf<Types>,
  };
}

export const array = <Item>(item: AbiType<Item>): AbiType<readonly Item[]> => ({
  name: `${item.name}[]`,
  dynamic: true,
  words: 1,
  read: (reader, at) => {
    const count = extentAt(reader, at) / 2;
    const start = at + WORD;
    // Every item has its head in the data, so a length that lies is found before it costs anything.
    if (start + count * item.words * WORD > reader.digits.length) mismatch();
    return readItems(reader, start, item, count);
  },
});

/** Items, each of which is work even where it takes no word. */
function readItems<Item>(reader: Reader, start: number, item: AbiType<Item>, count: number): Item[] {
  if (count > reader.budget.words) throw new Unreadable('too-large');
  if (item.words === 0) reader.budget.words -= count;
  return readAll(reader, start, new Array<AbiType<Item>>(count).fill(item)) as Item[];
}

/** As many items as the type says. */
export const fixedArray = <Item>(item: AbiType<Item>, count: number): AbiType<readonly Item[]> => ({
  name: `${item.name}[${count}]`,
  dynamic: item.dynamic && count > 0,
  words: item.dynamic && count > 0 ? 1 : item.words * count,
  read: (reader, at) => {
    if (at + count * item.words * WORD > reader.digits.length) mismatch();
    return readItems(reader, at, item, count);
  },
});

/** The same on the wire, another value to us. */
export const mapped = <From, To>(type: AbiType<From>, to: (value: From, reader: Reader) => To): AbiType<To> => ({
  ...type,
  read: (reader, at) => to(type.read(reader, at), reader),
});

/**
 * What is on the wire like `bytes`, turned into a value of its own. That copies them: bytes that many offsets point at
 * are paid for each time.
 */
export const copied = <To>(name: string, to: (digits: string) => To): AbiType<To> => ({
  ...mapped(bytes, (digits, { budget }) => {
    budget.words -= Math.ceil(digits.length / WORD);
    if (budget.words < 0) throw new Unreadable('too-large');
    return to(digits);
  }),
  name,
});

/** UTF-8. */
export const string = copied('string', (digits) => new TextDecoder().decode(fromHex(`0x${digits}`)));

/** @returns `name(types)`: what a selector is the hash of. */
export const signatureOf = (name: string, types: readonly AbiType<unknown>[]): string => `${name}${namesOf(types)}`;

/**
 * Reads ABI-encoded values (Solidity's contract ABI specification).
 *
 * @param digits - Lower-case hex without 0x and without a selector.
 * @returns The values, or why there are none.
 */
export function decode<const Types extends readonly AbiType<unknown>[]>(
  types: Types,
  digits: string,
  budget: WorkBudget,
): { readonly values: ValuesOf<Types> } | { readonly misfit: Misfit } {
  try {
    return { values: readAll({ digits, budget }, 0, types) as ValuesOf<Types> };
  } catch (error) {
    if (error instanceof Unreadable) return { misfit: error.why };
    throw error;
  }
}
