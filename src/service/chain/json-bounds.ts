import { invalidRequest } from './errors';

/** Levels of lists and objects: 64 for parameters, plus the request and its batch. */
export const MAX_DEPTH = 68;

/** Values in one text. A batch of a hundred requests has a few thousand. */
export const MAX_VALUES = 100_000;

/** Characters. A shorter text is always quick to parse. */
const SHORT = 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** @returns Where the string that begins at `at` ends: its closing quote, or the end of the text. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Refuses a text that JSON.parse would take long for: one that nests deeply or holds very many values. This reads the text
 * once and allocates nothing. It does not check whether the text is JSON; JSON.parse does.
 *
 * @throws {RpcError} -32600, naming the bound.
 */
export function assertWithinBounds(text: string): void {
  if (text.length <= SHORT) return;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values += 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1;
      values += 1;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    if (depth > MAX_DEPTH) throw invalidRequest(`nested more than ${MAX_DEPTH} levels deep`, 413);
    if (values > MAX_VALUES) throw invalidRequest(`more than ${MAX_VALUES} values`, 413);
  }
}
