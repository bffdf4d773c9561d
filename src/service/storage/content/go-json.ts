const CONTROL: Partial<Record<string, string>> = {
  '\\b': '\\u0008',
  '\\f': '\\u000c',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};
/** JSON text with the escapes of Go's encoder instead of JavaScript's, so that blocks have the CIDs that Kubo gives. */
export const goEscapes = (json: string): string =>
  // Escapes are matched whole, so that an escaped backslash before a letter is not mistaken for another escape.
  json.replace(/\\.|[\u2028\u2029]/g, (found) => CONTROL[found] ?? found);

/**
 * Limit for indented text: many short lines may each begin with a thousand tabs. Larger than any block without tabs.
 */
const MOST_INDENTED = 8 << 20;

/**
 * Indents compact JSON text with tabs; a map or list ends with a line break.
 *
 * @throws RangeError if the result is too long.
 */
export function indented(json: string): string {
  let depth = 0;
  let { length } = json;
  const line = (change: number) => {
    depth += change;
    length += 1 + depth;
    if (length > MOST_INDENTED) throw new RangeError(`the indented JSON is longer than ${MOST_INDENTED} characters`);
    return `\n${'\t'.repeat(depth)}`;
  };
  const text = json.replace(/"(?:\\.|[^"\\])*"|\{\}|\[\]|[{}[\],:]/g, (token) => {
    if (token === '{' || token === '[') return token + line(1);
    if (token === '}' || token === ']') return line(-1) + token;
    if (token === ',') return token + line(0);
    return token === ':' ? ': ' : token;
  });
  return /^[[{]/.test(json) ? `${text}\n` : text;
}
