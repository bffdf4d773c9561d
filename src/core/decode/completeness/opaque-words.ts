import { type Hex } from '../../eth/bytes';
import { meaningOfWord, type SignedValue } from './signed-value';

/** Digits of a word, of a selector and of an address. */
const WORD = 64;
const SELECTOR = 8;
const ADDRESS = 40;
/** Smaller numbers in data that nobody can read are lengths, counts and flags. */
const LEAST_AMOUNT = 1000n;
/** A packed path of Uniswap v3: addresses with three bytes of fee between them. */
const HOP = ADDRESS + 6;

/** Names a word by its number, from 1. */
type WordLabel = (word: number) => string;

/** What was found, the number of words that may still be looked at, and whether somebody known has an address. */
export type Scan = { readonly values: SignedValue[]; words: number; readonly isKnown: (address: Hex) => boolean };

const isZero = (digits: string): boolean => /^0*$/u.test(digits);

/**
 * The end of a call inside of data, if a word is the length of one: its arguments are whole words after a selector, and
 * zeros fill its last word.
 *
 * @returns The position of its last digit; undefined if the word is no such length.
 */
function endOfCall(digits: string, at: number): number | undefined {
  const word = digits.slice(at, at + WORD);
  if (!word.startsWith('0'.repeat(WORD - 6))) return undefined;
  const length = 2 * Number.parseInt(word.slice(-6), 16);
  const end = at + WORD + length;
  if (length < SELECTOR + WORD || length % WORD !== SELECTOR || end > digits.length) return undefined;
  return isZero(digits.slice(end, end + WORD - SELECTOR)) ? end : undefined;
}

/** The addresses of a packed path, if the bytes have that length and look like one. */
function packedPath(digits: string): string[] {
  if (digits.length === ADDRESS) return [digits];
  if (digits.length < ADDRESS + HOP || (digits.length - ADDRESS) % HOP !== 0) return [];
  const found: string[] = [];
  for (let at = 0; at < digits.length; at += HOP) found.push(digits.slice(at, at + ADDRESS));
  return found;
}

/** Adds the words at one alignment that can only be an address. */
function scanAddresses(digits: string, start: number, label: WordLabel, scan: Scan): void {
  for (let at = start; at + WORD <= digits.length; at += WORD) {
    if (--scan.words < 0) return;
    const word = digits.slice(at, at + WORD);
    if (!word.startsWith('00') && !word.slice(2, 24).startsWith('0'.repeat(18))) continue;
    const { address, number } = meaningOfWord(word);
    if (address === undefined || number !== undefined) continue;
    // Of a known address with zeros at its start, the word four bytes further reads as an address too.
    const before: Hex = `0x${digits.slice(at + WORD - ADDRESS - SELECTOR, at + WORD - SELECTOR)}`;
    if (!(address.endsWith('0'.repeat(SELECTOR)) && scan.isKnown(before)))
      scan.values.push({ kind: 'address', label: label(Math.floor((at - start) / WORD) + 1), address, isOpaque: true });
  }
}

/**
 * Adds the words that can be an amount. In what looks like a call they are looked for at its own alignment, and at that
 * of the data around it, since nothing proves that it is one.
 */
function scanAmounts(digits: string, start: number, label: WordLabel, scan: Scan): void {
  const most = BigInt(digits.length / 2);
  let endOfInner = 0;
  for (let at = start; at + WORD <= digits.length; at += WORD) {
    if (--scan.words < 0) return;
    const inner = at < endOfInner ? undefined : endOfCall(digits, at);
    if (inner !== undefined) {
      scanAmounts(digits.slice(at + WORD, inner), SELECTOR, label, scan);
      endOfInner = inner;
    }
    const word = digits.slice(at, at + WORD);
    // The same word, four bytes further: an argument of the inner call, which counts at its own alignment.
    if (at < endOfInner && word.endsWith('0'.repeat(SELECTOR))) continue;
    if (!word.startsWith('0'.repeat(24))) continue;
    const { address, number } = meaningOfWord(word);
    if (number !== undefined && number >= LEAST_AMOUNT && number > most)
      scan.values.push({
        kind: 'amount',
        label: label((at - start) / WORD + 1),
        amount: number,
        isOpaque: true,
        ...(address !== undefined && { orAddress: address }),
      });
  }
}

/**
 * Adds every word of opaque bytes that can be an address or an amount, at both alignments: with and without a selector
 * in front. Lengths, offsets and other numbers that are smaller than the data or than 1,000 are no amounts.
 *
 * @param digits - Lower-case hex digits without 0x.
 * @param isCall - Whether the bytes begin with a selector.
 */
export function scanOpaque(digits: string, label: WordLabel, isCall: boolean, scan: Scan): void {
  for (const packed of packedPath(digits))
    scan.values.push({ kind: 'address', label: label(1), address: `0x${packed}`, isOpaque: true });
  const first = isCall || digits.length % WORD === SELECTOR ? SELECTOR : 0;
  scanAmounts(digits, first, label, scan);
  scanAddresses(digits, first, label, scan);
  scanAddresses(digits, first === 0 ? SELECTOR : 2 * SELECTOR, label, scan);
}
