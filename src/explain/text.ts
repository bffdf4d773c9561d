const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u;
const HIDDEN_ALL = new RegExp(HIDDEN.source, 'gu');

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

/** @returns The start of a long text, and how much of it was left out. */
export function shortened(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length - limit} more characters)`;
}
