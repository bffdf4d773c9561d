import { type Hex } from '../../eth/bytes';

/** The bytes that a value was found in by its form alone; bytes are numbered in the order of the request. */
type Found = { readonly region?: number };

/**
 * One value that a signature covers and that matters to a person. Its label is ours (`Value 3`, counted in words of the
 * data), or a quoted name of an argument.
 */
export type SignedValue =
  | ({ readonly kind: 'address'; readonly label: string; readonly address: Hex } & Found)
  | ({
      readonly kind: 'amount';
      readonly label: string;
      readonly amount: bigint;
      /** It is in wei, so it can be written as the network's coin. */
      readonly isNative?: true;
      /** The address that it may be instead, or that is a part of it. */
      readonly orAddress?: Hex;
    } & Found)
  /** Words that Keystead did not choose: a string that is signed, or the possible name of a function. */
  | { readonly kind: 'text'; readonly label: string; readonly text: string; readonly source: string }
  /** Bytes that nobody reads, as hex digits without 0x. */
  | { readonly kind: 'bytes'; readonly label: string; readonly digits: string };

/** Bytes whose meaning is not known, as hex digits without 0x. They count unless a rule reads them as a call. */
export type OpaqueBytes = { readonly label: string; readonly digits: string };

const WORD_DIGITS = 64;
const ADDRESS_ZEROS = '0'.repeat(24);

/** No token has so much of its smallest unit, so an address of an ordinary form is larger. */
const MIN_SURE_ADDRESS = 1n << 112n;
/** Some 300 million tokens of 18 decimals. Between this and 2^112, a word may be an amount or a mined address. */
const MIN_POSSIBLE_ADDRESS = 1n << 88n;
/** Nobody can compute an address with more zero bytes, but round numbers have them. */
const MAX_ZERO_BYTES = 10;
/** Flags of a router beside a packed address: at least so many bytes are zero. */
const MIN_ZERO_FLAGS = 7;

/** A larger number with so many zero bytes stands for "everything", as 2^200 does. */
const MIN_ZEROS = 24;
/** The largest number of 96 bits and more, of which everything is meant. */
const EVERYTHING = /^0*f{24,64}$/u;
/** Text of letters, digits and marks (ASCII). */
const PRINTABLE = /^(?:[2-6][0-9a-f]|7[0-9a-e])+$/u;

const zeroBytes = (digits: string): number => {
  let count = 0;
  for (let at = 0; at < digits.length; at += 2) if (digits.charAt(at) === '0' && digits.charAt(at + 1) === '0') count++;
  return count;
};

/** @returns Whether 40 hex digits can be the address of an account, as opposed to a round number. */
export const isAddressLike = (digits: string): boolean => zeroBytes(digits) <= MAX_ZERO_BYTES;

/** @returns Whether 20 bytes look like an address, as opposed to a part of a number: hardly one is zero. */
const isSurelyAddress = (digits: string): boolean => zeroBytes(digits) <= 3 && !/^f+$/u.test(digits);

/** @returns Whether the last 20 bytes of a word look like an address. */
export const endsInAddress = (word: string): boolean => isSurelyAddress(word.slice(24));

/** What a word of 32 bytes can be: an address, a number, either, or neither. */
export type WordMeaning = { readonly address?: Hex; readonly number?: bigint };

/**
 * @param word - 64 lower-case hex digits.
 * @returns The address and the number that a word can be. A large number that fits no address and no amount is neither:
 * it is a hash or text.
 */
export function meaningOfWord(word: string): WordMeaning {
  const last = word.slice(24);
  const number = BigInt(`0x${word}`);
  if (EVERYTHING.test(word)) return { number };
  if (!word.startsWith(ADDRESS_ZEROS)) return meaningOfLargeWord(word, number);
  if (number >= MIN_SURE_ADDRESS) return isAddressLike(last) ? { address: `0x${last}` } : { number };
  if (number >= MIN_POSSIBLE_ADDRESS && isAddressLike(last)) return { address: `0x${last}`, number };
  return { number };
}

/** The meaning of a word that is larger than an address. */
function meaningOfLargeWord(word: string, number: bigint): WordMeaning {
  const [first, last] = [word.slice(0, 40), word.slice(24)];
  const zeros = zeroBytes(word.slice(0, 24));
  if (word.startsWith('00') && zeros + zeroBytes(last) >= MIN_ZEROS) return { number };
  // Routers pack flags in front of an address (1inch's `Address`, pools of Uniswap and Curve), or a fee behind it.
  if (zeros >= MIN_ZERO_FLAGS && endsInAddress(word)) return { address: `0x${last}` };
  const isInFront = zeroBytes(word.slice(40)) >= MIN_ZERO_FLAGS && isSurelyAddress(first) && !PRINTABLE.test(first);
  return isInFront ? { address: `0x${first}` } : {};
}

/** An amount that may be an address instead, or that has one in it. */
export const amountValue = (
  label: string,
  amount: bigint,
  orAddress: Hex | undefined,
  region?: number,
): SignedValue => ({
  kind: 'amount',
  label,
  amount,
  ...(orAddress !== undefined && { orAddress }),
  ...(region !== undefined && { region }),
});

/** The digits of a whole number as a word of 32 bytes. */
export const wordOf = (number: bigint): string => BigInt.asUintN(256, number).toString(16).padStart(WORD_DIGITS, '0');
