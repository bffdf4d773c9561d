import { isSameAddress, ZERO_ADDRESS } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { counted } from '../../eth/units';
import { type Line, type Section } from '../explanation';
import { tokenAt } from '../metadata/tokens';
import { type WordScene } from '../scene';
import { isUnlimited } from '../words/amounts';
import { byteCount, MAX_QUOTE, quote, text } from '../words/lines';
import { knownName, namedAddress, spelled } from '../words/names';
import { quotable } from '../words/text';
import { mayBeTime, utcTime } from '../words/time';
import { nativeAmount, networkIn, plainNumber } from '../words/units';
import { type SignedValue } from './signed-value';

/** A screen lists so many addresses that were only found in bytes that nobody can read. */
const MAX_OPAQUE_ADDRESSES = 12;
const MAX_OPAQUE_AMOUNTS = 40;
/** It lists so many values whose meaning is known. More are a danger. */
const MAX_LISTED = 200;

/** Many contracts take it for the network's coin. */
const COIN = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

/** It quotes so many strings, and so much of each. */
const MAX_TEXTS = 20;
const MAX_TEXT = 120;
/** Bytes that nobody reads are shown if they are short. */
const MAX_HEX_DIGITS = 128;

const ADDRESS_IN_TEXT = /0x[0-9a-f]{40}(?![0-9a-f])/giu;

/** Rows by the values that they say. Quotations are the words of others: they say nothing but themselves. */
class Said {
  readonly #rows = new Map<string, Line[]>();

  constructor(lines: readonly Line[]) {
    for (const line of lines) {
      const { kind, value } = line;
      if (kind === 'address') this.#put(value.toLowerCase(), line);
      else if (kind === 'quote') this.#put(`“${value}”`, line);
      else {
        this.#put(value, line);
        const amount = value.replace(/ in all$/u, '').split(', ', 1)[0] ?? '';
        if (amount !== value) this.#put(amount, line);
        if (!value.includes('“'))
          for (const [found] of value.matchAll(ADDRESS_IN_TEXT)) this.#put(found.toLowerCase(), line);
      }
    }
  }

  #put(key: string, line: Line): void {
    const before = this.#rows.get(key);
    if (before === undefined) this.#rows.set(key, [line]);
    else before.push(line);
  }

  /** All words and addresses that rows say. */
  get words(): Iterable<string> {
    return this.#rows.keys();
  }

  /** @returns The rows that begin with these words, or have this address in full. */
  rowsOf(words: string): readonly Line[] {
    return this.#rows.get(words) ?? [];
  }
}

const linesOf = (sections: readonly Section[]): Line[] =>
  sections.flatMap(({ lines, sections: inner }) => [...lines, ...linesOf(inner)]);

const COIN_NAME = "the network's coin";

/** The name of an address that needs no row in full: of the coin, a known token or contract, or an own account. */
function nameOf(at: Hex, scene: WordScene): string | undefined {
  if (at.toLowerCase() === COIN)
    return scene.chainId === undefined ? COIN_NAME : networkIn(scene, scene.chainId).symbol;
  return tokenAt(at, scene)?.symbol ?? knownName(at, scene.view);
}

function amountWords(
  { amount, orAddress, isNative }: Extract<SignedValue, { kind: 'amount' }>,
  scene: WordScene,
): string {
  if (isNative === true) return nativeAmount(amount, scene);
  const shown = plainNumber(amount);
  if (orAddress !== undefined) return `${shown}, or the address ${spelled(orAddress)}`;
  if (mayBeTime(amount)) return `${shown} (as a time: ${utcTime(amount)})`;
  return isUnlimited(amount) ? `${shown}, more than any token has` : amount.toString();
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
 * @param open - The rows of the open part.
 * @param details - The sections that are closed at first.
 */
export function unsaid(scene: WordScene, open: readonly Line[], details: readonly Section[]): Unsaid {
  const { view, findings } = scene;
  const { signed } = findings;
  const { values, isCut } = signed.all((at) => nameOf(at, scene) !== undefined);
  const said = new Said(open);
  const tokens = new Set([...said.words].map((words) => signed.tokenIn(words)?.toLowerCase()));
  let rows: Said | undefined;
  // Most requests leave nothing unsaid, so that the details need not be read.
  const detailed = (): Said => (rows ??= new Said(linesOf(details)));
  const lines = new Set<Line>();
  const done = new Set<string>();
  const addresses = new Map<string, Hex>();
  const hidden = { addresses: new Set<string>(), numbers: new Set<string>(), texts: new Set<string>() };
  const counts = new Map<string, number>();
  let listed = 0;

  const isNew = (key: string): boolean => {
    const before = done.size;
    return done.add(key).size > before;
  };
  /** @returns Whether a value may be listed: of the same bytes that nobody can read, only so many are. */
  const hasRoom = (what: keyof typeof hidden, key: string, most: number, region: number | undefined): boolean => {
    const count = (counts.get(`${what}${region}`) ?? 0) + 1;
    if (region === undefined || count <= most) {
      counts.set(`${what}${region}`, count);
      hidden[what].delete(key);
      return true;
    }
    hidden[what].add(key);
    return false;
  };
  const exactly = new Map<string, string | undefined>();
  /** @param exact - The value itself, where the words of different ones can be the same. */
  const list = (line: () => Line, exact?: string): void => {
    if (++listed > MAX_LISTED) return;
    const made = line();
    const words = `${made.kind} ${made.label}: ${made.value}`;
    if (!exactly.has(words)) lines.add(made);
    else if (exact !== undefined && exactly.get(words) !== exact) lines.add(text(made.label, exact));
    exactly.set(words, exact);
  };
  /** A row of the details that says a value, unless it already says another one. */
  const detail = (keys: Iterable<string>): Line | undefined => {
    for (const key of keys) {
      const found = detailed()
        .rowsOf(key)
        .find((line) => !lines.has(line));
      if (found !== undefined) return found;
    }
    return undefined;
  };

  const addAddress = ({ label, address: at, region }: Extract<SignedValue, { kind: 'address' }>): void => {
    const key = at.toLowerCase();
    if (done.has(key) || key === ZERO_ADDRESS || isSameAddress(at, view.signer)) return;
    addresses.set(key, at);
    if (said.rowsOf(key).length > 0 || tokens.has(key)) return;
    if (!hasRoom('addresses', key, MAX_OPAQUE_ADDRESSES, region)) return;
    done.add(key);
    const name = nameOf(at, scene);
    list(() => (name === undefined ? (detail([key]) ?? namedAddress(label, at, view)) : text(label, name)));
  };
  const addAmount = (value: Extract<SignedValue, { kind: 'amount' }>): void => {
    const { label, amount, region, orAddress, isNative } = value;
    if (orAddress !== undefined) addresses.set(orAddress, orAddress);
    // Found by its form only, it is the argument that was added before.
    const key = region === undefined ? `${label}=${amount}` : `${amount}`;
    if (done.has(key)) return;
    const forms = [...signed.formsOf(amount)];
    const coins = [...signed.coinsOf(amount)];
    if ((isNative === true ? [...forms, ...coins] : forms).some((form) => said.rowsOf(form).length > 0)) return;
    if (!hasRoom('numbers', `${amount}`, MAX_OPAQUE_AMOUNTS, region)) return;
    done.add(`${label}=${amount}`).add(`${amount}`);
    list(() => detail([...forms, ...coins]) ?? text(label, amountWords(value, scene)), `${amount}`);
  };
  const addText = ({ label, text: words, source }: Extract<SignedValue, { kind: 'text' }>): void => {
    const whole = `“${quotable(words, MAX_QUOTE)}”`;
    if (!isNew(`${label}${whole}`) || said.rowsOf(whole).length > 0) return;
    if (hasRoom('texts', whole, MAX_TEXTS, 0)) list(() => quote(label, words.slice(0, MAX_TEXT), source));
  };
  const addBytes = ({ label, digits }: Extract<SignedValue, { kind: 'bytes' }>): void => {
    const words = digits.length <= MAX_HEX_DIGITS ? `0x${digits}` : `${byteCount(digits)} that Keystead does not read`;
    if (isNew(`${label}${words}`)) list(() => text(label, words));
  };
  for (const value of values) {
    if (value.kind === 'address') addAddress(value);
    else if (value.kind === 'amount') addAmount(value);
    else if (value.kind === 'text') addText(value);
    else addBytes(value);
  }
  const more = (count: number, noun: string, plural: string): string[] =>
    count > 0
      ? [`The data has ${counted(count, `more ${noun}`, `more ${plural}`)}, which this screen does not list.`]
      : [];
  return {
    lines: [...lines],
    addresses: [...addresses.values()],
    warnings: [
      ...more(hidden.addresses.size, 'address', 'addresses'),
      ...more(hidden.numbers.size, 'number', 'numbers'),
      ...more(hidden.texts.size, 'text', 'texts'),
    ],
    isCut: isCut || listed > MAX_LISTED,
  };
}
