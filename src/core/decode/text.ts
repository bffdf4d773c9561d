import { counted } from '../eth/units';

/**
 * Control, format, private-use and unassigned characters, halves of surrogate pairs, line separators, spaces other than
 * the plain one, what fonts ignore, and characters without ink. The selectors of text and emoji style are part of an
 * emoji's spelling, and hidden anywhere else. Marks that are heaped on one letter are drawn over the lines around it: no
 * script has so many.
 */
const HIDDEN = String.raw`(?<!\p{Extended_Pictographic})(?:\ufe0e|\ufe0f)|(?! |\ufe0e|\ufe0f)[\p{C}\p{Z}\p{DI}\u{13441}\u{13442}\u2800]|\u{1d159}|\u{16fe4}|\p{M}(?<=\p{M}{9})`;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');
const HIDDEN_IN_LINES = new RegExp(`(?!\\n)(?:${HIDDEN})`, 'u');

/**
 * A letter of a script that has letters like Latin ones is, beside a Latin one, there to be taken for one: words are of one
 * script. So are mathematical, full-width and numeral letters beside plain ones. Units are not: µm and kΩ. A backslash
 * may imitate what is written out.
 */
const IMITATION = String.raw`(?![μΩ\u2126])[\p{sc=Armn}\p{sc=Cher}\p{sc=Copt}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Lisu}](?:(?<=\p{sc=Latn}\p{M}{0,8}.)|(?=\p{M}{0,8}\p{sc=Latn}))|[\u{1d400}-\u{1d7ff}\uff21-\uff5a\u2160-\u217f](?:(?<=[A-Za-z].)|(?=[A-Za-z]))|\\(?=u\{)`;
const IMITATED = new RegExp(IMITATION, 'u');
const WRITTEN_OUT = new RegExp(`${HIDDEN}|${IMITATION}`, 'gu');

/** A screen carries no more of one text. */
const MAX_BODY = 20_000;

const escaped = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/**
 * Text from outside, fit for a screen: what would be invisible, imitate a letter, reorder the line or start a new one is
 * shown as `\u{…}` instead, once: a `\u{…}` that stands in the text itself has its backslash written out. A line feed
 * may stay.
 *
 * @param text - Any text, with or without lone surrogates.
 */
export function visible(text: string, { keepLines = false } = {}): string {
  return text
    .toWellFormed()
    .replace(WRITTEN_OUT, (character) => (keepLines && character === '\n' ? character : escaped(character)));
}

/** A name that the person chose, fit for a screen: their own letters imitate nothing, and hidden ones are written out. */
export const ownName = (name: string): string => name.toWellFormed().replace(ALL_HIDDEN, escaped);

/** @returns Whether a text of lines holds what is not seen as it is. */
export const hidesSomething = (text: string): boolean => HIDDEN_IN_LINES.test(text);

/** @returns Whether a text of lines holds what `visible` would have to show as `\u{…}`: what is hidden, or imitates. */
export const deceives = (text: string): boolean => hidesSomething(text) || IMITATED.test(text);

/**
 * @param shown - Makes what is shown of it fit for a screen: a long text costs no more than that.
 * @returns The start of a long text, and how much of it was left out.
 */
export const shortened = (text: string, limit: number, shown = (start: string): string => start): string =>
  text.length <= limit
    ? shown(text)
    : `${shown(text.slice(0, limit))}… (${counted(text.length - limit, 'more character')})`;

/** Words of others, fit to stand in quotation marks: they cannot close them. */
export const othersWords = (words: string, limit: number): string =>
  shortened(words, limit, (start) => visible(start.replace(/[“”]/gu, '"')));

/** @returns Whether a screen carries only the start of a text. */
export const isCut = (text: string): boolean => text.length > MAX_BODY;

/** A text of many lines as far as a screen carries it, fit for it. */
export const bodyText = (text: string): string =>
  shortened(text, MAX_BODY, (start) => visible(start, { keepLines: true }));
