import { fromHex, type Hex } from './bytes';

/** The number of further words that may be decoded. All decoding for one explanation shares the same budget. */
export type WorkBudget = {
  words: number;
  /** The positions of the words that were read, in digits, if somebody wants to know. */
  read?: Set<number>;
};

/** For data that is decoded only once. */
export const UNBOUNDED: WorkBudget = { words: Infinity };

/** ABI-encoded data in hex digits, without 0x. Positions and lengths below are counted in digits. */
type Reader = { readonly digits: string; readonly budget: WorkBudget };

/**
 * A type of the contract ABI, with its canonical name and decoder. Decoding follows Solidity's rules: offsets may point
 * anywhere in the data, and trailing bytes are ignored.
 */
export type AbiType<Value> = {
  readonly name: string;
  readonly dynamic: boolean;
  /** The number of 32-byte words it takes in the head. */
  readonly words: number;
  readonly read: (reader: Reader, at: number) => Value;
};

/** The values of a list of types, as {@link decode} returns them. */
export type ValuesOf<Types extends readonly AbiType<unknown>[]> = {
  [Index in keyof Types]: Types[Index] extends AbiType<infer Value> ? Value : never;
};

const WORD = 64;

/** The reason why decoding failed: the data does not match the types, or exceeds the budget. */
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
  budget.read?.add(at);
  const word = digits.slice(at, at + WORD);
  return word.length === WORD ? word : mismatch();
}

/** Reads a length or an offset, in digits. One that exceeds the data is a mismatch. */
function extentAt(reader: Reader, at: number): number {
  const word = wordAt(reader, at);
  if (!word.startsWith('0'.repeat(WORD - 12))) mismatch();
  const extent = 2 * Number.parseInt(word.slice(-12), 16);
  return extent <= reader.digits.length ? extent : mismatch();
}

/** A type that takes one word of the data, which `of` reads. */
const oneWord = <Value>(name: string, of: (word: string) => Value): AbiType<Value> => ({
  name,
  dynamic: false,
  words: 1,
  read: (reader, at) => of(wordAt(reader, at)),
});

const numberIn = (word: string): bigint => BigInt(`0x${word}`);

/** An unsigned integer. Its unused high bits must be zero. */
export const uint = (bits: number): AbiType<bigint> =>
  oneWord(`uint${bits}`, (word) => {
    const value = numberIn(word);
    return value >> BigInt(bits) === 0n ? value : mismatch();
  });
export const uint256 = uint(256);

export const bool = oneWord('bool', (word) => {
  const value = numberIn(word);
  return value <= 1n ? value === 1n : mismatch();
});

/** Lower case. */
export const address = oneWord('address', (word): Hex =>
  word.startsWith('0'.repeat(24)) ? `0x${word.slice(24)}` : mismatch(),
);

/** A signed integer in two's complement. Its unused high bits must repeat the sign bit. */
export const int = (bits: number): AbiType<bigint> =>
  oneWord(`int${bits}`, (word) => {
    const value = BigInt.asIntN(bits, numberIn(word));
    return BigInt.asUintN(256, value) === numberIn(word) ? value : mismatch();
  });

/** `bytes1` to `bytes32`. The digits after the value must be zero. */
export const fixedBytes = (length: number): AbiType<Hex> =>
  oneWord(`bytes${length}`, (word): Hex =>
    /^0*$/u.test(word.slice(2 * length)) ? `0x${word.slice(0, 2 * length)}` : mismatch(),
  );
export const bytes32 = fixedBytes(32);

/** Bytes of any length, as hex digits without 0x. */
export const bytes: AbiType<string> = {
  name: 'bytes',
  dynamic: true,
  words: 1,
  read: (reader, at) => {
    const length = extentAt(reader, at);
    const content = reader.digits.slice(at + WORD, at + WORD + length);
    if (reader.budget.read !== undefined)
      for (let word = at + WORD; word < at + WORD + length; word += WORD) reader.budget.read.add(word);
    return content.length === length ? content : mismatch();
  },
};

/** Reads consecutive values, whose offsets count from `at`. */
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
    // Every item has its head in the data, so reject a false length before doing any work.
    if (start + count * item.words * WORD > reader.digits.length) mismatch();
    return readItems(reader, start, item, count);
  },
});

/** Reads the items of an array. An item that takes no words still counts against the budget. */
function readItems<Item>(reader: Reader, start: number, item: AbiType<Item>, count: number): Item[] {
  if (count > reader.budget.words) throw new Unreadable('too-large');
  if (item.words === 0) reader.budget.words -= count;
  return readAll(reader, start, new Array<AbiType<Item>>(count).fill(item)) as Item[];
}

/** An array of fixed length. */
export const fixedArray = <Item>(item: AbiType<Item>, count: number): AbiType<readonly Item[]> => ({
  name: `${item.name}[${count}]`,
  dynamic: item.dynamic && count > 0,
  words: item.dynamic && count > 0 ? 1 : item.words * count,
  read: (reader, at) => {
    if (at + count * item.words * WORD > reader.digits.length) mismatch();
    return readItems(reader, at, item, count);
  },
});

/** A type with the same encoding, whose decoded value is converted. */
export const mapped = <From, To>(type: AbiType<From>, to: (value: From, reader: Reader) => To): AbiType<To> => ({
  ...type,
  read: (reader, at) => to(type.read(reader, at), reader),
});

/**
 * A type that is encoded like `bytes` and converted to another value. The conversion copies the bytes, so each copy
 * counts against the budget, even if several offsets point at the same bytes.
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

/** @returns The signature `name(types)`, whose hash gives the selector. */
export const signatureOf = (name: string, types: readonly AbiType<unknown>[]): string => `${name}${namesOf(types)}`;

/**
 * Decodes ABI-encoded values (Solidity, "Contract ABI Specification").
 *
 * @param digits - Lower-case hex without 0x and without a selector.
 * @returns The values, or why they could not be decoded.
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
