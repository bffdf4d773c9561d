const ESCAPES: Partial<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (character: string): string => {
  const short = ESCAPES[character];
  if (short !== undefined) return short;
  // As in JSON, so that a JSON text stays one.
  return [...Array(character.length).keys()]
    .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
    .join('');
};

/**
 * Text for one line of a terminal: characters that move the cursor, change colours, hide or reorder text are written
 * out. Names of files, keys and pins may contain any of them.
 */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);

/** The same for text of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');
