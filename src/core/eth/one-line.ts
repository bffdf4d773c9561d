/**
 * Makes untrusted text safe to quote: one line, without control or bidirectional characters, and of limited length.
 *
 * @param most - The maximum number of characters.
 */
export function oneLine(text: string, most: number): string {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
