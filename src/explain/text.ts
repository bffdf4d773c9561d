/**
 * Control, format, private-use and unassigned characters, line separators, spaces other than the plain one,
 * what fonts ignore, and characters without ink.
 */
const HIDDEN_CLASS = String.raw`\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800\uffa0`;
/** The selectors of text and emoji style are part of an emoji's spelling, and hidden anywhere else. */
const HIDDEN = String.raw`(?<!\p{Extended_Pictographic})(?:\ufe0e|\ufe0f)|\u{1d159}|\u{16fe4}|(?!\ufe0e|\ufe0f)[${HIDDEN_CLASS}]`;
const HIDDEN_ALL = new RegExp(HIDDEN, 'gu');
const HIDDEN_IN_LINES = new RegExp(`(?!\\n)(?:${HIDDEN})`, 'u');

/** A screen carries no more of one text. */
const MAX_BODY = 20_000;

const escaped = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/**
 * Text from outside, fit for a screen: what would be invisible, reorder the line or start a new one is
 * shown as `\u{…}` instead. A line feed may stay.
 *
 * @param text - Any text, with or without lone surrogates.
 */
export function visible(text: string, { keepLines = false } = {}): string {
  return text
    .toWellFormed()
    .replace(HIDDEN_ALL, (character) => (keepLines && character === '\n' ? character : escaped(character)));
}

/** @returns Whether a text of lines holds what `visible` would have to show as `\u{…}`. */
export const hidesSomething = (text: string): boolean => HIDDEN_IN_LINES.test(text);

/** @returns The start of a long text, and how much of it was left out. */
export function shortened(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length - limit} more characters)`;
}

/** @returns Whether a screen carries only the start of a text. */
export const isCut = (text: string): boolean => text.length > MAX_BODY;

/** A text of many lines as far as a screen carries it, fit for it. */
export const bodyText = (text: string): string =>
  !isCut(text)
    ? visible(text, { keepLines: true })
    : `${visible(text.slice(0, MAX_BODY), { keepLines: true })}… (${text.length - MAX_BODY} more characters)`;
