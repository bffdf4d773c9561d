import { type Hex } from '../../eth/bytes';
import { amountValue, isAddressLike, meaningOfWord, type SignedValue, type WordMeaning } from './signed-value';

/** Digits of a word, of a selector and of an address. */
const WORD = 64;
const SELECTOR = 8;
const ADDRESS = 40;
/** Smaller numbers in data that nobody can read are lengths, counts and flags. */
const LEAST_AMOUNT = 1000n;
/** Numbers up to the length of the data may be offsets; but long data does not hide larger ones. */
const MAX_OFFSET = 4096;
/** A packed path of Uniswap v3: addresses with three bytes of fee between them. */
const HOP = ADDRESS + 6;

/** Names a word by its number, from 1. */
type WordLabel = (word: number) => string;

/** What was found in which bytes, how many words may still be looked at, and whether somebody known has an address. */
export type Scan = {
  readonly values: SignedValue[];
  words: number;
  region: number;
  readonly isKnown: (address: Hex) => boolean;
};

const isZero = (digits: string): boolean => /^0*$/u.test(digits);

/**
 * The bytes inside of data, if a word is their length: zeros fill their last word.
 *
 * @returns The position of their last digit; undefined if the word is no such length.
 */
function endOfBytes(digits: string, at: number): number | undefined {
  const word = digits.slice(at, at + WORD);
  if (!word.startsWith('0'.repeat(WORD - 6))) return undefined;
  const length = 2 * Number.parseInt(word.slice(-6), 16);
  const end = at + WORD + length;
  if (length < ADDRESS || end > digits.length) return undefined;
  const inLastWord = length % WORD;
  return inLastWord === 0 || isZero(digits.slice(end, end + WORD - inLastWord)) ? end : undefined;
}

/** Adds the addresses of a packed path, if bytes have the length of one, and the address that bytes of 20 are. */
function addPackedPath(digits: string, label: WordLabel, scan: Scan): void {
  if (digits.length < ADDRESS || (digits.length - ADDRESS) % HOP !== 0) return;
  const found: string[] = [];
  for (let at = 0; at < digits.length; at += HOP) found.push(digits.slice(at, at + ADDRESS));
  if (!found.every(isAddressLike)) return;
  for (const one of found)
    scan.values.push({ kind: 'address', label: label(1), address: `0x${one}`, region: scan.region });
}

/** Adds the words at one alignment that can only be an address. */
function scanAddresses(digits: string, start: number, label: WordLabel, scan: Scan): void {
  for (let at = start; at + WORD <= digits.length; at += WORD) {
    if (--scan.words < 0) return;
    const { address, number } = meaningOfWord(digits.slice(at, at + WORD));
    if (address === undefined || number !== undefined) continue;
    // Of a known address with zeros at its start, the word four bytes further reads as an address too.
    const isPadded = /(?:0{8}|f{8})$/u.test(address);
    const before: Hex = `0x${digits.slice(at + WORD - ADDRESS - SELECTOR, at + WORD - SELECTOR)}`;
    // So do the largest numbers, of which everything is meant.
    if (!(isPadded && scan.isKnown(before)) && !/^0x0*f{16,}0*$/u.test(address))
      scan.values.push({
        kind: 'address',
        label: label(Math.floor((at - start) / WORD) + 1),
        address,
        region: scan.region,
      });
  }
}

/** Adds the number that a word can be, unless it is as small as a length or an offset. */
function addNumber({ address, number }: WordMeaning, label: string, { length }: string, scan: Scan): void {
  if (number === undefined || number < LEAST_AMOUNT || number <= BigInt(Math.min(length / 2, MAX_OFFSET))) return;
  scan.values.push(amountValue(label, number, address, scan.region));
}

/**
 * Adds the words that can be an amount or an address. In what looks like a call they are looked for at its own
 * alignment, and at that of the data around it, since nothing proves that it is one.
 */
function scanWords(digits: string, start: number, label: WordLabel, scan: Scan): void {
  let endOfInner = 0;
  for (let at = start; at + WORD <= digits.length; at += WORD) {
    if (--scan.words < 0) return;
    const end = at < endOfInner ? undefined : endOfBytes(digits, at);
    if (end !== undefined) {
      const inner = digits.slice(at + WORD, end);
      addPackedPath(inner, label, scan);
      if (inner.length % WORD === SELECTOR) {
        scanWords(inner, SELECTOR, label, scan);
        endOfInner = end;
      }
    }
    const word = digits.slice(at, at + WORD);
    // The same word, four bytes further: an argument of the inner call, which counts at its own alignment.
    if (at < endOfInner && word.endsWith('0'.repeat(SELECTOR))) continue;
    const meaning = meaningOfWord(word);
    const name = label((at - start) / WORD + 1);
    addNumber(meaning, name, digits, scan);
    if (meaning.address !== undefined && meaning.number === undefined)
      scan.values.push({ kind: 'address', label: name, address: meaning.address, region: scan.region });
  }
}

/**
 * Adds every word of opaque bytes that can be an address or an amount, at both alignments: with and without a selector
 * in front. Lengths, offsets and other numbers that are smaller than the data or than 1,000 are no amounts.
 *
 * @param digits - Lower-case hex digits without 0x.
 */
export function scanBytes(digits: string, label: WordLabel, scan: Scan): void {
  addPackedPath(digits, label, scan);
  const first = digits.length % WORD === SELECTOR ? SELECTOR : 0;
  scanWords(digits, first, label, scan);
  for (const start of [0, SELECTOR]) scanAddresses(digits, start, label, scan);
}

/**
 * The same for a call.
 *
 * @param known - The positions of the words after the selector that its ABI reads, if it has one that fits. Numbers in
 * them are known, but an address is one wherever it is.
 */
export function scanCall(digits: string, label: WordLabel, known: ReadonlySet<number> | undefined, scan: Scan): void {
  if (known === undefined) scanWords(digits, SELECTOR, label, scan);
  else
    for (let at = SELECTOR; at + WORD <= digits.length; at += WORD)
      if (!known.has(at - SELECTOR))
        addNumber(meaningOfWord(digits.slice(at, at + WORD)), label((at - SELECTOR) / WORD + 1), digits, scan);
  for (const start of [SELECTOR, 2 * SELECTOR]) scanAddresses(digits, start, label, scan);
}
