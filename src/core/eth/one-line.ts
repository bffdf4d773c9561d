/**
 * Somebody else's words, fit for a sentence: on one line, without control and direction-changing characters,
 * and not endless.
 *
 * @param most - Characters.
 */
export function oneLine(text: string, most: number): string {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
