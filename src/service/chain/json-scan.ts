/** Where something is in a text. */
export type Extent = { readonly from: number; readonly end: number };

/** A value: the whole text (depth 0), a member or an item of it (depth 1), a member or an item of one (depth 2). */
export type Scanned = Extent & {
  readonly depth: number;
  readonly kind: 'object' | 'list' | 'other';
  /** The name of a member, unless it is longer than is asked for. */
  readonly name: string | undefined;
  /** The position in its list or object, from 0. */
  readonly index: number;
  /** The value itself, if it is a string that is not longer than is asked for. */
  readonly text: string | undefined;
  /** Levels of lists and objects in it: 0 for a string, a number or a word. */
  readonly levels: number;
};

type Begun = { -readonly [Name in keyof Scanned]: Scanned[Name] };

/** What a scan reports, and what it refuses. */
export type ScanOptions = {
  /** The depth of the values that are reported. */
  readonly depth: number;
  /** Called when a value has ended. Of duplicate members, the last one counts, as for JSON.parse. */
  readonly ended: (value: Scanned) => void;
  /** Characters of names and strings, as they are written, that are asked for. */
  readonly longest?: number;
  /** Levels of lists and objects that a text may have, and values. */
  readonly levels?: number;
  readonly values?: number;
  /** Makes the error for more. */
  readonly refuse?: (limit: 'levels' | 'values', most: number) => Error;
};

/** Without another limit: longer than the names of methods and of the members of requests. */
const LONGEST = 128;

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const SMALL_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const isBlank = (code: number) => code === SPACE || code === 0x0a || code === 0x0d || code === 0x09;
const endsWord = (code: number) =>
  code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT || isBlank(code) || code === COLON || code === QUOTE;

/** A quote, a backslash or a control character. */
const STOP = /[^ !#-[\]-\u{10ffff}]/gu;
/** Characters after which the search by an expression is faster. */
const FEW = 24;

/** @returns Where the next quote, backslash or control character is, or the end of the piece. */
function afterPlain(piece: string, from: number): number {
  const few = Math.min(piece.length, from + FEW);
  for (let at = from; at < few; at += 1) {
    const code = piece.charCodeAt(at);
    if (code === QUOTE || code === BACKSLASH || code < SPACE) return at;
  }
  STOP.lastIndex = few;
  return STOP.test(piece) ? STOP.lastIndex - 1 : piece.length;
}

const WORD = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/u;
const ESCAPED: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrtu'));
const isHex = (code: number) => (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
const HEX_DIGITS = 4;

/** What may come next, besides blanks. */
type Next = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end';

/**
 * Follows a JSON text that arrives in pieces, once, and reports where the values of its first levels are. It accepts
 * exactly what JSON.parse accepts. A piece is text, or UTF-8 read as Latin-1: the grammar does not tell characters
 * beyond ASCII apart.
 */
export class JsonScan {
  readonly #depth: number;
  readonly #ended: (value: Scanned) => void;
  readonly #longest: number;
  readonly #mostLevels: number;
  readonly #mostValues: number;
  readonly #refuse: NonNullable<ScanOptions['refuse']>;
  /** The lists and objects that are open, by the character that opened them. */
  readonly #open: number[] = [];
  /** The values that have begun and not ended, by depth, as far as they are reported. */
  readonly #begun: Begun[] = [];
  /** The positions of the next values in their lists and objects, by depth. */
  readonly #index: number[] = [0];
  #next: Next = 'value';
  #inString = false;
  #isName = false;
  /** A number, `true`, `false` or `null`, as far as it has arrived. */
  #word: string | undefined;
  /** What is missing of an escape: everything behind its backslash (-1), or so many digits. */
  #escape = 0;
  /** The string that is being read, or was read last. */
  #text = '';
  #hasEscapes = false;
  #name: string | undefined;
  #values = 0;
  /** Where the piece begins in the text. */
  #offset = 0;

  constructor({ depth, ended, longest, levels, values, refuse }: ScanOptions) {
    this.#depth = depth;
    this.#ended = ended;
    this.#longest = longest ?? LONGEST;
    this.#mostLevels = levels ?? Infinity;
    this.#mostValues = values ?? Infinity;
    this.#refuse = refuse ?? ((limit, most) => new RangeError(`more than ${most} ${limit}`));
  }

  /** @returns The value of this depth that has begun and not ended, if there is one. */
  begun(depth: number): Omit<Scanned, 'end'> | undefined {
    return this.#begun[depth];
  }

  /**
   * @param piece - The next piece.
   * @throws {SyntaxError} If no JSON begins like this.
   */
  push(piece: string): void {
    for (let at = 0; at < piece.length;) {
      if (this.#inString) at = this.#string(piece, at);
      else if (this.#word !== undefined) at = this.#inWord(piece, at);
      else at = this.#structure(piece, at);
    }
    this.#offset += piece.length;
  }

  /** Must be called after the last piece. @throws {SyntaxError} If the text is not complete. */
  finish(): void {
    if (this.#word !== undefined) this.#endWord(this.#offset);
    if (this.#inString || this.#open.length > 0 || this.#next !== 'comma or end') this.#fail(0);
  }

  #fail(at: number): never {
    throw new SyntaxError(`not JSON at position ${this.#offset + at}`);
  }

  /** @returns Where to read on, as all the following. */
  #structure(piece: string, at: number): number {
    const code = piece.charCodeAt(at);
    if (isBlank(code)) return at + 1;
    const position = this.#offset + at;
    const next = this.#next;
    if (code === COMMA) this.#comma(at);
    else if (code === COLON && next === 'colon') this.#next = 'value';
    else if (code === QUOTE && (next === 'name' || next === 'name or end')) this.#beginString(true);
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) this.#close(code, at);
    else if (next !== 'value' && next !== 'value or end') this.#fail(at);
    else {
      this.#begin(code, position);
      if (code === QUOTE) this.#beginString(false);
      else if (code === OPEN_LIST || code === OPEN_OBJECT) this.#nest(code);
      else {
        this.#word = '';
        return at;
      }
    }
    return at + 1;
  }

  #begin(code: number, from: number): void {
    this.#values += 1;
    if (this.#values > this.#mostValues) throw this.#refuse('values', this.#mostValues);
    const depth = this.#open.length;
    if (depth > this.#depth) return;
    this.#begun[depth] = {
      depth,
      kind: code === OPEN_OBJECT ? 'object' : code === OPEN_LIST ? 'list' : 'other',
      name: depth > 0 && this.#open[depth - 1] === OPEN_OBJECT ? this.#name : undefined,
      index: this.#index[depth] as number,
      from,
      end: from,
      text: undefined,
      levels: 0,
    };
  }

  #end(end: number): void {
    this.#next = 'comma or end';
    const depth = this.#open.length;
    if (depth > this.#depth) return;
    const value = this.#begun.pop() as Begun;
    value.end = end;
    this.#ended(value);
  }

  #nest(code: number): void {
    const depth = this.#open.push(code);
    if (depth > this.#mostLevels) throw this.#refuse('levels', this.#mostLevels);
    for (const value of this.#begun) if (value.levels < depth - value.depth) value.levels = depth - value.depth;
    if (depth <= this.#depth) this.#index[depth] = 0;
    this.#next = code === OPEN_LIST ? 'value or end' : 'name or end';
  }

  #comma(at: number): void {
    const depth = this.#open.length;
    if (this.#next !== 'comma or end' || depth === 0) this.#fail(at);
    if (depth <= this.#depth) this.#index[depth] = (this.#index[depth] as number) + 1;
    this.#next = this.#open[depth - 1] === OPEN_LIST ? 'value' : 'name';
  }

  #close(code: number, at: number): void {
    const isList = code === CLOSE_LIST;
    const isEmpty = this.#next === (isList ? 'value or end' : 'name or end');
    if (!isEmpty && this.#next !== 'comma or end') this.#fail(at);
    if (this.#open.pop() !== (isList ? OPEN_LIST : OPEN_OBJECT)) this.#fail(at);
    this.#end(this.#offset + at + 1);
  }

  #inWord(piece: string, from: number): number {
    let at = from;
    while (at < piece.length && !endsWord(piece.charCodeAt(at))) at += 1;
    this.#word += piece.slice(from, at);
    if (at < piece.length) this.#endWord(this.#offset + at);
    return at;
  }

  #endWord(end: number): void {
    if (!WORD.test(this.#word ?? '')) throw new SyntaxError(`not JSON before position ${end}`);
    this.#word = undefined;
    this.#end(end);
  }

  #beginString(isName: boolean): void {
    this.#inString = true;
    this.#isName = isName;
    this.#text = '';
    this.#hasEscapes = false;
  }

  #string(piece: string, from: number): number {
    let at = from;
    while (at < piece.length) {
      if (this.#escape === 0) at = afterPlain(piece, at);
      const code = piece.charCodeAt(at);
      if (code === QUOTE && this.#escape === 0) break;
      if (at < piece.length) this.#inEscape(code, at);
      at = Math.min(at + 1, piece.length);
    }
    if (this.#open.length <= this.#depth && this.#text.length <= this.#longest)
      this.#text += piece.slice(from, Math.min(at, from + this.#longest + 1));
    if (at === piece.length) return at;
    this.#endString(this.#offset + at + 1);
    return at + 1;
  }

  /** Reads an escape, and refuses a control character. */
  #inEscape(code: number, at: number): void {
    if (this.#escape === 0) {
      if (code !== BACKSLASH) this.#fail(at);
      this.#escape = -1;
      this.#hasEscapes = true;
    } else if (this.#escape > 0) {
      if (!isHex(code)) this.#fail(at);
      this.#escape -= 1;
    } else if (ESCAPED.has(code)) this.#escape = code === SMALL_U ? HEX_DIGITS : 0;
    else this.#fail(at);
  }

  #endString(end: number): void {
    this.#inString = false;
    const value = this.#isName ? undefined : this.#begun[this.#open.length];
    if (this.#isName) {
      this.#name = this.#open.length <= this.#depth ? this.#short() : undefined;
      this.#next = 'colon';
      return;
    }
    if (value !== undefined) value.text = this.#short();
    this.#end(end);
  }

  /** The string that was read, unless it is too long. */
  #short(): string | undefined {
    if (this.#text.length > this.#longest) return undefined;
    return this.#hasEscapes ? (JSON.parse(`"${this.#text}"`) as string) : this.#text;
  }
}
