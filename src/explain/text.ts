/** Control, format, private-use and unassigned characters, line separators, and letters without ink. */
const HIDDEN_CLASS = String.raw`\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0`;
const HIDDEN_ALL = new RegExp(`[${HIDDEN_CLASS}]`, 'gu');
const HIDDEN_IN_LINES = new RegExp(`(?!\\n)[${HIDDEN_CLASS}]`, 'u');

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

/** A text of many lines as far as a screen carries it, fit for it. */
export const bodyText = (text: string): string =>
  text.length <= MAX_BODY
    ? visible(text, { keepLines: true })
    : `${visible(text.slice(0, MAX_BODY), { keepLines: true })}… (${text.length - MAX_BODY} more characters)`;
