import { counted } from '../../eth/units';

/**
 * Control, format, private-use and unassigned characters, lone surrogates, line separators, spaces other than U+0020,
 * default-ignorable characters and characters without ink. Variation selectors 15 and 16 are allowed after an emoji
 * only. The ninth combining mark on a letter and those after it count as well: no script needs so many, and they cover
 * the lines around the letter.
 */
const HIDDEN = String.raw`(?<!\p{Extended_Pictographic})(?:\ufe0e|\ufe0f)|(?! |\ufe0e|\ufe0f)[\p{C}\p{Z}\p{DI}\u{13441}\u{13442}\u2800]|\u{1d159}|\u{16fe4}|\p{M}(?<=\p{M}{9})`;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');
const HIDDEN_IN_LINES = new RegExp(`(?!\\n)(?:${HIDDEN})`, 'u');

/**
 * Lookalikes. Words use one script, so a letter of a script with Latin lookalikes next to a Latin letter is meant to be
 * taken for one. The same goes for mathematical, full-width and numeral letters next to plain ones. Units such as µm
 * and kΩ are exempt. A literal `\u{` is escaped as well, since it could imitate an escape of ours.
 */
const IMITATION = String.raw`(?![μΩ\u2126])[\p{sc=Armn}\p{sc=Cher}\p{sc=Copt}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Lisu}](?:(?<=\p{sc=Latn}\p{M}{0,8}.)|(?=\p{M}{0,8}\p{sc=Latn}))|[\u{1d400}-\u{1d7ff}\uff21-\uff5a\u2160-\u217f](?:(?<=[A-Za-z].)|(?=[A-Za-z]))`;
const ESCAPE_LIKE = String.raw`\\(?=u\{)`;
const IMITATED = new RegExp(`${IMITATION}|${ESCAPE_LIKE}`, 'u');
const DECEPTIVE = new RegExp(`${HIDDEN}|${IMITATION}`, 'gu');
const ESCAPED = new RegExp(`${HIDDEN}|${IMITATION}|${ESCAPE_LIKE}`, 'gu');

/** The longest text that a screen shows. */
const MAX_BODY = 20_000;

/** Lines of a message that are shown as lines. The rest is one paragraph: MetaMask draws line feeds as spaces. */
export const MESSAGE_LINES = 500;

const escaped = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/**
 * Makes untrusted text safe to display. Characters that are invisible, imitate a letter, reorder the line or start a
 * new one become `\u{…}`. The escape is unambiguous, because a literal `\u{` has its backslash escaped.
 *
 * @param text - Any text, with or without lone surrogates.
 * @param options.keepLines - Whether line feeds are kept.
 */
export function visible(text: string, { keepLines = false } = {}): string {
  return text
    .toWellFormed()
    .replace(ESCAPED, (character) => (keepLines && character === '\n' ? character : escaped(character)));
}

/**
 * Makes a name that the person chose safe to display. Hidden characters are escaped; lookalikes are the person's own.
 */
export const ownName = (name: string): string => name.toWellFormed().replace(ALL_HIDDEN, escaped);

/** @returns Whether a text, apart from its line feeds, contains characters that are hidden. */
export const hidesSomething = (text: string): boolean => HIDDEN_IN_LINES.test(text);

/** @returns Whether a text, apart from its line feeds, contains hidden characters or lookalikes. */
export const isDeceptive = (text: string): boolean => hidesSomething(text) || IMITATED.test(text);

/**
 * @param shown - Makes the beginning safe to display. It is applied to that part only, to bound the work.
 * @returns The text; if it is longer than the limit, its beginning and the number of characters left out.
 */
export const shortened = (text: string, limit: number, shown = (start: string): string => start): string =>
  text.length <= limit
    ? shown(text)
    : `${shown(text.slice(0, limit))}… (${counted(text.length - limit, 'more character')})`;

/** Makes untrusted text safe inside quotation marks, which it cannot close. */
export const quotable = (words: string, limit: number): string =>
  shortened(words, limit, (start) => visible(start.replace(/[“”]/gu, '"')));

/**
 * Makes text safe inside quotation marks that was made safe to display before, such as what a contract says of itself:
 * an escape stays as it is.
 */
export const quotableAgain = (words: string): string =>
  words.toWellFormed().replace(/[“”]/gu, '"').replace(DECEPTIVE, escaped);

/** @returns Whether a screen shows only the beginning of a text. */
export const isTruncated = (text: string): boolean => text.length > MAX_BODY;

/** A text of many lines, truncated to what a screen shows and made safe to display. */
export const bodyText = (text: string): string =>
  shortened(text, MAX_BODY, (start) => visible(start, { keepLines: true }));
