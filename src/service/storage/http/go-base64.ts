const DIGIT = /[A-Za-z0-9+/]/;

/** The position at which padded base64 is invalid, as Go's decoder reports it; undefined if it is valid. */
function faultIn(text: string): number | undefined {
  let at = 0;
  // Go ignores line breaks anywhere.
  const skipLineEnds = () => {
    while (text[at] === '\n' || text[at] === '\r') at++;
  };
  for (;;) {
    skipLineEnds();
    const start = at;
    if (at === text.length) return undefined;
    for (let digits = 0; digits < 4; digits++, at++, skipLineEnds()) {
      const digit = text[at];
      if (digit === undefined) return start;
      if (DIGIT.test(digit)) continue;
      if (digit !== '=' || digits < 2) return at;
      const padding = at++;
      skipLineEnds();
      if (digits === 2) {
        if (at === text.length) return at;
        if (text[at++] !== '=') return padding;
        skipLineEnds();
      }
      return at < text.length ? at : undefined;
    }
  }
}

/**
 * Decodes padded base64.
 *
 * @throws the error that `fault` makes of Go's message, if the text is invalid.
 */
export function fromGoBase64(text: string, fault: (message: string) => Error): Buffer {
  const at = faultIn(text);
  if (at !== undefined) throw fault(`illegal base64 data at input byte ${at}`);
  return Buffer.from(text, 'base64');
}
