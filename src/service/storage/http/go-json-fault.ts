const LITERALS: Partial<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };

/** A byte as Go quotes it in messages. */
function quoted(byte: string): string {
  if (byte === "'") return String.raw`'\''`;
  if (byte === '"') return `'"'`;
  const named: Partial<Record<string, string>> = {
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\b': '\\b',
    '\f': '\\f',
    '\v': '\\v',
    '\\': '\\\\',
  };
  const code = byte.charCodeAt(0);
  if (named[byte] !== undefined) return `'${named[byte]}'`;
  if (code < 0x20 || code === 0x7f) return `'\\x${code.toString(16).padStart(2, '0')}'`;
  return code >= 0x80 && code < 0xa1 ? `'\\u${code.toString(16).padStart(4, '0')}'` : `'${byte}'`;
}

class Fault extends Error {}

/** Scans JSON like Go's scanner, and fails at the same place with the same message. */
class Scanner {
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  #next(skip = false): string {
    while (skip && /[ \t\r\n]/.test(this.#text[this.at] ?? '')) this.at++;
    const byte = this.#text[this.at++];
    if (byte === undefined) throw new Fault('unexpected EOF');
    return byte;
  }

  #fail(byte: string, where: string): never {
    throw new Fault(`invalid character ${quoted(byte)} ${where}`);
  }

  /** One value, with everything inside it. Iterative, because the client controls the nesting depth. */
  value(): void {
    const open: string[] = [];
    let byte = this.#next(true);
    for (;;) {
      if (byte === '{' || byte === '[') {
        const first = this.#next(true);
        if (first !== (byte === '{' ? '}' : ']')) {
          open.push(byte);
          if (byte === '{') this.#key(first);
          byte = byte === '{' ? this.#next(true) : first;
          continue;
        }
      } else this.#scalar(byte);
      const more = this.#afterValue(open);
      if (more === undefined) return;
      byte = more;
    }
  }

  /** Closes containers that end after a value; returns the first byte of the next value, undefined if there is none. */
  #afterValue(open: string[]): string | undefined {
    for (let container = open.at(-1); container !== undefined; container = open.at(-1)) {
      const byte = this.#next(true);
      if (byte === ',') {
        if (container === '{') this.#key(this.#next(true));
        return this.#next(true);
      }
      if (byte !== (container === '{' ? '}' : ']')) {
        this.#fail(byte, container === '{' ? 'after object key:value pair' : 'after array element');
      }
      open.pop();
    }
    return undefined;
  }

  #key(first: string): void {
    if (first !== '"') this.#fail(first, 'looking for beginning of object key string');
    this.#string();
    const colon = this.#next(true);
    if (colon !== ':') this.#fail(colon, 'after object key');
  }

  #scalar(first: string): void {
    const literal = LITERALS[first];
    if (first === '"') this.#string();
    else if (/[-\d]/.test(first)) this.#number(first);
    else if (literal === undefined) this.#fail(first, 'looking for beginning of value');
    else {
      for (const expected of literal.slice(1)) {
        const byte = this.#next();
        if (byte !== expected) this.#fail(byte, `in literal ${literal} (expecting '${expected}')`);
      }
    }
  }

  #string(): void {
    for (let byte = this.#next(); byte !== '"'; byte = this.#next()) {
      if (byte < ' ') this.#fail(byte, 'in string literal');
      if (byte !== '\\') continue;
      const escape = this.#next();
      if (!/[bfnrt\\/"u]/.test(escape)) this.#fail(escape, 'in string escape code');
      for (let digits = escape === 'u' ? 4 : 0; digits > 0; digits--) {
        const digit = this.#next();
        if (!/[\da-fA-F]/.test(digit)) this.#fail(digit, String.raw`in \u hexadecimal character escape`);
      }
    }
  }

  #number(first: string): void {
    const lead = first === '-' ? this.#digit('in numeric literal') : first;
    if (lead !== '0') this.#digits();
    if (this.#text[this.at] === '.') {
      this.at++;
      this.#digit('after decimal point in numeric literal');
      this.#digits();
    }
    if (/[eE]/.test(this.#text[this.at] ?? '')) {
      this.at++;
      if (/[-+]/.test(this.#text[this.at] ?? '')) this.at++;
      this.#digit('in exponent of numeric literal');
      this.#digits();
    }
  }

  #digit(where: string): string {
    const byte = this.#next();
    return /\d/.test(byte) ? byte : this.#fail(byte, where);
  }

  #digits(): void {
    while (/\d/.test(this.#text[this.at] ?? '')) this.at++;
  }
}

/**
 * The bytes of the first JSON value in `bytes`; anything after it is ignored, as by Go's decoder.
 *
 * @throws the error that `fault` makes of Go's message, if the JSON is invalid.
 */
export function firstJsonValue(bytes: Buffer, fault: (message: string) => Error): Buffer {
  const scanner = new Scanner(bytes.toString('latin1'));
  try {
    scanner.value();
  } catch (error) {
    throw error instanceof Fault ? fault(error.message) : error;
  }
  return bytes.subarray(0, scanner.at);
}
