import { isSameAddress, ZERO_ADDRESS } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { counted } from '../../eth/units';
import { type Line, type Section } from '../explanation';
import { tokenAt } from '../metadata/tokens';
import { type WordScene } from '../scene';
import { isUnlimited } from '../words/amounts';
import { quote, text } from '../words/lines';
import { isPlaceholder } from '../words/keyless';
import { knownName, namedAddress, spelled } from '../words/names';
import { utcTime } from '../words/time';
import { nativeAmount, networkIn } from '../words/units';
import { type SignedValue } from './signed-value';

/** A screen lists so many addresses that were only found in bytes that nobody can read. */
const MAX_OPAQUE_ADDRESSES = 12;
const MAX_OPAQUE_AMOUNTS = 40;
/** It lists so many values whose meaning is known. More are a danger. */
const MAX_LISTED = 200;

/** Many contracts take it for the network's coin. */
const COIN = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

/** Numbers in this range may be times: from 2017 to 2049, in seconds. */
const MIN_TIME = 1_500_000_000n;
const MAX_TIME = 2_500_000_000n;
/** Longer numbers are cut. */
const MAX_DIGITS = 34;

const ADDRESS_IN_TEXT = /0x[0-9a-f]{40}(?![0-9a-f])/giu;
const NUMBER_IN_TEXT = /\d+(?:\.\d+)?/gu;
/** Text of others inside of a title or a row, which says nothing. */
const QUOTED = /“[^”]*”/gu;

/** What lines say, by value. Quotations are the words of others and say nothing. */
class Said {
  readonly #addresses = new Map<string, Line>();
  readonly #numbers = new Map<string, Line[]>();
  readonly #words: string[] = [];
  readonly #texts: Line[] = [];

  constructor(lines: readonly Line[], title = '') {
    this.#words.push(title.replace(QUOTED, ''));
    for (const line of lines) {
      if (line.kind === 'quote') continue;
      if (line.kind === 'address') this.#put(line.value, line);
      else {
        const own = line.value.includes('“') ? line.value.replace(QUOTED, '') : line.value;
        this.#words.push(own);
        this.#texts.push(line);
        if (own.includes('0x')) for (const [found] of own.matchAll(ADDRESS_IN_TEXT)) this.#put(found, line);
        for (const number of own.match(NUMBER_IN_TEXT) ?? []) {
          const before = this.#numbers.get(number);
          if (before === undefined) this.#numbers.set(number, [line]);
          else before.push(line);
        }
      }
    }
  }

  #put(at: string, line: Line): void {
    const key = at.toLowerCase();
    if (!this.#addresses.has(key)) this.#addresses.set(key, line);
  }

  /** The line that has an address in full. */
  lineOfAddress(at: Hex): Line | undefined {
    return this.#addresses.get(at.toLowerCase());
  }

  /** Whether one of our own sentences has a name. */
  hasName(name: string): boolean {
    return this.#words.some((words) => words.includes(name));
  }

  /** The line that has an amount in one of the forms in which it was written, or as a plain number. */
  lineOfAmount(amount: bigint, forms: Iterable<string>): Line | undefined {
    const digits = amount.toString();
    const plain = this.#numbers.get(digits)?.find(({ value }) => !isPartOf(value, digits));
    if (plain !== undefined) return plain;
    for (const form of forms) {
      const [number] = /\d+(?:\.\d+)?/u.exec(form) ?? [];
      const candidates = number === undefined ? this.#texts : this.#numbers.get(number);
      const found = candidates?.find(({ value }) => value.includes(form));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** @returns Whether a whole number in a text is the amount of something with decimals: "5 USDC" is not the number 5. */
const isPartOf = (value: string, digits: string): boolean => {
  const at = value.indexOf(digits);
  const after = value.slice(at + digits.length);
  return value.charAt(at - 1) !== '#' && /^ [A-Za-z“]/u.test(after) && !/^ (?:units|NFT|\()/u.test(after);
};

const linesOf = (sections: readonly Section[]): Line[] =>
  sections.flatMap(({ lines, sections: inner }) => [...lines, ...linesOf(inner)]);

function addressRow(label: string, at: Hex, detail: Line | undefined, scene: WordScene): Line {
  const key = at.toLowerCase();
  if (key === COIN)
    return text(label, scene.chainId === undefined ? "the network's coin" : networkIn(scene, scene.chainId).symbol);
  if (isPlaceholder(at)) return namedAddress(label, at, scene.view);
  const name = tokenAt(at, scene)?.symbol ?? knownName(at, scene.view);
  if (name !== undefined) return text(label, name);
  return detail ?? namedAddress(label, at, scene.view);
}

function amountWords(
  { amount, orAddress, isNative }: Extract<SignedValue, { kind: 'amount' }>,
  scene: WordScene,
): string {
  if (isNative === true) return nativeAmount(amount, scene);
  const digits = amount.toString();
  const shown =
    digits.length <= MAX_DIGITS ? digits : `${digits.slice(0, 4)}…${digits.slice(-4)} (${digits.length} digits)`;
  if (orAddress !== undefined) return `${shown}, or the address ${spelled(orAddress)}`;
  if (amount >= MIN_TIME && amount < MAX_TIME) return `${digits} (as a time: ${utcTime(amount)})`;
  return isUnlimited(amount) ? `${shown}, more than any token has` : digits;
}

/** What a request signs and the rest of its screen does not say. */
export type Unsaid = {
  /** Rows for the open part. */
  readonly lines: readonly Line[];
  /** Everybody whom it names, said or not. */
  readonly addresses: readonly Hex[];
  readonly warnings: readonly string[];
  /** Something is neither said nor listed. */
  readonly isCut: boolean;
};

/**
 * Compares what is signed with what the open part of a screen says, by value. Whatever was not said becomes a row: the
 * one that the details have for it, or one of its own. So no rule and no description can leave a value out.
 *
 * @param open - The rows of the open part, and its title.
 * @param details - The sections that are closed at first.
 */
export function unsaid(
  scene: WordScene,
  open: { readonly title: string; readonly lines: readonly Line[] },
  details: readonly Section[],
): Unsaid {
  const { view, findings } = scene;
  const { signed } = findings;
  const { values, isCut } = signed.all((at) => tokenAt(at, scene) !== undefined || knownName(at, view) !== undefined);
  const said = new Said(open.lines, open.title);
  let rows: Said | undefined;
  // Most requests leave nothing unsaid, so that the details need not be read.
  const detailed = (): Said => (rows ??= new Said(linesOf(details)));
  const lines: Line[] = [];
  const known = new Set<string>();
  const addresses = new Map<string, Hex>();
  let [opaqueAddresses, opaqueAmounts, listed] = [0, 0, 0];

  const addAddress = (value: Extract<SignedValue, { kind: 'address' }>): void => {
    const { label, address: at, isOpaque } = value;
    const key = at.toLowerCase();
    if (addresses.has(key) || key === ZERO_ADDRESS || isSameAddress(at, view.signer)) return;
    addresses.set(key, at);
    if (said.lineOfAddress(at) !== undefined) return;
    const name = tokenAt(at, scene)?.symbol ?? knownName(at, view);
    if (name !== undefined && said.hasName(name)) return;
    if (isOpaque === true && ++opaqueAddresses > MAX_OPAQUE_ADDRESSES) return;
    if (++listed <= MAX_LISTED) lines.push(addressRow(label, at, detailed().lineOfAddress(at), scene));
  };
  const addAmount = (value: Extract<SignedValue, { kind: 'amount' }>): void => {
    const { label, amount, isOpaque, orAddress } = value;
    if (orAddress !== undefined) addresses.set(orAddress, orAddress);
    if (known.has(amount.toString())) return;
    known.add(amount.toString());
    const forms = [...signed.formsOf(amount)];
    if (said.lineOfAmount(amount, forms) !== undefined) return;
    if (isOpaque === true && ++opaqueAmounts > MAX_OPAQUE_AMOUNTS) return;
    if (++listed <= MAX_LISTED)
      lines.push(detailed().lineOfAmount(amount, forms) ?? text(label, amountWords(value, scene)));
  };
  for (const value of values) {
    if (value.kind === 'address') addAddress(value);
    else if (value.kind === 'amount') addAmount(value);
    else if (!known.has(value.text)) {
      known.add(value.text);
      if (++listed <= MAX_LISTED) lines.push(quote(value.label, value.text, value.source));
    }
  }
  const more = (count: number, most: number, noun: string, plural: string): string[] =>
    count > most
      ? [`The data has ${counted(count - most, `more ${noun}`, `more ${plural}`)}, which this screen does not list.`]
      : [];
  return {
    lines: [...new Set(lines)],
    addresses: [...addresses.values()],
    warnings: [
      ...more(opaqueAddresses, MAX_OPAQUE_ADDRESSES, 'address', 'addresses'),
      ...more(opaqueAmounts, MAX_OPAQUE_AMOUNTS, 'number', 'numbers'),
    ],
    isCut: isCut || listed > MAX_LISTED,
  };
}
