import { invalidParams } from './errors';

/*
 * Errors use the exact texts of go-ethereum (rpc/json.go, rpc/types.go, common/hexutil), which callers and their
 * libraries recognize.
 */

const wrong = (position: number, why: string) => invalidParams(`invalid argument ${position}: ${why}`);
const unmarshal = (what: string, type: string) => `json: cannot unmarshal ${what} into Go value of type ${type}`;

/**
 * Reads positional parameters.
 *
 * @param params - As sent; absent counts as none.
 * @param readers - One per parameter; takes the value and its position.
 * @returns What the readers returned.
 * @throws {RpcError} -32602.
 */
export function positional<Values extends readonly unknown[]>(
  params: unknown,
  readers: { [I in keyof Values]: (value: unknown, position: number) => Values[I] },
): Values {
  if (!Array.isArray(params)) throw invalidParams('non-array args');
  const values = params.slice(0, readers.length).map((value, i) => readers[i]?.(value, i));
  if (params.length > readers.length) throw invalidParams(`too many arguments, want at most ${readers.length}`);
  if (values.length < readers.length) throw invalidParams(`missing value for required argument ${values.length}`);
  return values as unknown as Values;
}

const MAX_INT64 = 2n ** 63n - 1n;
const UINT64 = /^0x(?:0|[1-9a-f][0-9a-f]{0,15})$/iu;
const HEX = /^[0-9a-f]*$/iu;
const has0x = (text: string) => /^0x/iu.test(text);

/** `hexutil.DecodeUint64`: returns the number, or why the text is not one. */
function uint64(text: string): bigint | string {
  if (UINT64.test(text)) return BigInt(text);
  if (text === '') return 'empty hex string';
  if (!has0x(text)) return 'hex string without 0x prefix';
  const digits = text.slice(2);
  if (digits === '') return 'hex string "0x"';
  if (digits.startsWith('0')) return 'hex number with leading zero digits';
  return HEX.test(digits) ? 'hex number > 64 bits' : 'invalid hex string';
}

export type BlockTag = 'latest' | 'earliest' | 'pending' | 'safe' | 'finalized';

/** A block by number or by tag. `hex` is the parameter as sent to a node. */
export type BlockParameter = { tag: Exclude<BlockTag, 'earliest'>; hex: string } | { number: bigint; hex: string };

/** A block number in hex, or a tag; `earliest` is block 0. */
export function blockParameter(value: unknown, position: number): BlockParameter {
  if (value === 'latest' || value === 'pending' || value === 'safe' || value === 'finalized')
    return { tag: value, hex: value };
  if (value === 'earliest') return { number: 0n, hex: '0x0' };
  // go-ethereum treats any non-string as a text without 0x.
  const text = typeof value === 'string' ? value : 'null';
  const number = uint64(text);
  if (typeof number === 'string') throw wrong(position, number);
  if (number > MAX_INT64) throw wrong(position, 'block number larger than int64');
  return { number, hex: text.toLowerCase() };
}

/** A 32-byte hash; returned in lower case. */
export function blockHash(value: unknown, position: number): string {
  const type = 'common.Hash';
  if (typeof value !== 'string') throw wrong(position, unmarshal('non-string', type));
  if (value !== '' && !has0x(value)) throw wrong(position, unmarshal('hex string without 0x prefix', type));
  const digits = value.slice(2);
  if (digits.length % 2 !== 0) throw wrong(position, unmarshal('hex string of odd length', type));
  if (digits.length !== 64) throw wrong(position, `hex string has length ${digits.length}, want 64 for ${type}`);
  if (!HEX.test(digits)) throw wrong(position, unmarshal('invalid hex string', type));
  return `0x${digits.toLowerCase()}`;
}

/** The position of an uncle in its block's list, in hex. */
export function uncleIndex(value: unknown, position: number): bigint {
  const type = 'hexutil.Uint';
  if (typeof value !== 'string') throw wrong(position, unmarshal('non-string', type));
  const index = uint64(value);
  if (typeof index === 'string') throw wrong(position, unmarshal(index, type));
  return index;
}
