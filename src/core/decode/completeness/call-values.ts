import { type AbiParameter } from 'viem';

import { type WorkBudget } from '../../eth/abi';
import { type Hex } from '../../eth/bytes';
import { isHex, isList, Text, type Value } from '../descriptors/value';
import { quoted } from '../descriptors/words';
import { decodeNamed } from '../metadata/abi-json';
import { amountValue, endsInAddress, meaningOfWord, type OpaqueBytes, type SignedValue, wordOf } from './signed-value';

/**
 * The values of a call that matter to a person, the bytes in it that are opaque so far, and the positions of the words
 * that its ABI reads, in digits after the selector.
 */
export type CallValues = {
  readonly values: readonly SignedValue[];
  readonly opaque: readonly OpaqueBytes[];
  readonly read: ReadonlySet<number>;
};

const ADDRESS_LENGTH = 42;
const WORD_LENGTH = 66;
const MAX_ADDRESS = (1n << 160n) - 1n;
/** Names of numbers that are chosen at random. */
const BOOKKEEPING = /nonce|salt|hash|seed/iu;
/** Smaller numbers of arguments without a name are counts, flags and kinds. */
const LEAST_UNNAMED = 1000n;

/** What is found so far. */
export type Collected = { readonly values: SignedValue[]; readonly opaque: OpaqueBytes[]; count: number };

/** A number, or an address that is encoded as one, as some routers have it. */
export function addNumber(number: bigint, label: string, least: bigint, found: Collected): void {
  if (number < 0n) {
    found.values.push({ kind: 'amount', label, amount: number });
    return;
  }
  const { address, number: amount } = meaningOfWord(wordOf(number));
  if (address !== undefined && amount === undefined) found.values.push({ kind: 'address', label, address });
  else if (number > MAX_ADDRESS && !BOOKKEEPING.test(label) && endsInAddress(wordOf(number)))
    // Something in front of an address in one number, such as the number of an order.
    found.values.push(amountValue(label, number, `0x${wordOf(number).slice(24)}`));
  else if (number >= least) found.values.push(amountValue(label, number, address));
}

/** Bytes: an address, a word that may be an address or an amount, or what has to be looked at word by word. */
export function addBytes(hex: Hex, label: string, found: Collected): void {
  if (hex.length === ADDRESS_LENGTH) found.values.push({ kind: 'address', label, address: hex });
  else if (hex.length === WORD_LENGTH) {
    const { address, number } = meaningOfWord(hex.slice(2).toLowerCase());
    if (address !== undefined && number === undefined) found.values.push({ kind: 'address', label, address });
    else if (number !== undefined && number >= LEAST_UNNAMED) found.values.push(amountValue(label, number, address));
  } else if (hex.length > ADDRESS_LENGTH) found.opaque.push({ label, digits: hex.slice(2).toLowerCase() });
}

/** A string of the data. */
export function addText(written: string, label: string, found: Collected): void {
  if (written !== '') found.values.push({ kind: 'text', label, text: written, source: 'the data' });
}

/** Longer paths are cut: others choose the names, and lists repeat them. */
const MAX_PATH = 80;

const pathTo = (name: string, member: string): string =>
  (name === '' ? member : `${name}.${member}`).slice(0, MAX_PATH);

/** @param name - The path to the value, made of names that others chose; empty if there is none. */
function addValue(value: Value, name: string, found: Collected): void {
  if (typeof value === 'object' && !(value instanceof Text)) {
    if (isList(value)) value.forEach((item, index) => addValue(item, name === '' ? '' : `${name}[${index}]`, found));
    else
      for (const [member, inner] of Object.entries(value))
        addValue(inner, /^\d+$/u.test(member) ? name : pathTo(name, member), found);
    return;
  }
  found.count++;
  const label = name === '' ? `Value ${found.count}` : quoted(name);
  if (typeof value === 'bigint') addNumber(value, label, name === '' ? LEAST_UNNAMED : 1n, found);
  else if (value instanceof Text) addText(value.text, label, found);
  else if (typeof value === 'string' && isHex(value)) addBytes(value, label, found);
}

/**
 * The values of a call by its ABI.
 *
 * @param parameters - Of the function. Names are those of whoever described it, and may be empty.
 * @param args - The arguments as hex digits, without 0x and without the selector.
 * @returns Undefined if the arguments do not fit the parameters.
 */
export function valuesByAbi(
  parameters: readonly AbiParameter[],
  args: string,
  budget: WorkBudget,
): CallValues | undefined {
  const read = new Set<number>();
  const own: WorkBudget = { words: budget.words, read };
  const decoded = decodeNamed(parameters, args, own);
  budget.words = own.words;
  if (decoded === undefined) return undefined;
  const found: Collected = { values: [], opaque: [], count: 0 };
  addValue(decoded, '', found);
  return { ...found, read };
}
