const ESCAPES: Partial<Record<string, string>> = {
  '\\b': '\\u0008',
  '\\f': '\\u000c',
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON as Go's encoder writes it: the same bytes Kubo would send. */
export function goJson(value: unknown): string {
  // Escapes are matched whole, so that an escaped backslash in front of a letter is not taken for another escape.
  return JSON.stringify(value).replace(/\\.|[<>&\u2028\u2029]/g, (found) => ESCAPES[found] ?? found);
}

/** A quoted string as Go's `%q` prints it, for the usual cases. */
export const goQuote = (text: string): string => JSON.stringify(text);
