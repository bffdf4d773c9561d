import { isUtf8 } from 'node:buffer';

/** Where a value is in a text, in bytes. */
export type Extent = { readonly from: number; readonly end: number };

/** A text is nested more deeply than it may be. */
export class NestingError extends Error {
  override name = 'NestingError';
}

/** Bytes after which a part is checked: a fraction of a millisecond for JSON.parse. */
const PART_BYTES = 32 << 10;

/** Longer names are not needed. */
const MAX_NAME = 64;
/** The longest escape in a string: `\u0000`. */
const ESCAPE_BYTES = 6;

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** @returns Where the last character is cut off that is not complete, or the end of the bytes. */
function endOfWhole(bytes: Uint8Array): number {
  let at = bytes.length - 1;
  while (at > 0 && bytes.length - at < 4 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  const lead = bytes[at] ?? 0;
  const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return at + length > bytes.length ? at : bytes.length;
}

/** A member that has begun, and where its value does. */
type Member = { readonly name: string; from: number | undefined };

/**
 * Follows the structure of a JSON text that arrives in pieces, and notes where its members are. Whether it is JSON, it
 * leaves to JSON.parse, which gets it part by part. Before each part stands what opens the lists and objects that it is
 * in, and after it what closes them.
 */
export class AnswerScan {
  /** The members of the text, and those of its member `error`; of duplicates the last, as in JSON.parse. */
  readonly members = new Map<string, Extent>();
  readonly errorMembers = new Map<string, Extent>();
  readonly #maxDepth: number;
  /** The lists and objects that are open, by the byte that opened them. */
  readonly #open: number[] = [];
  /** The members of the first two levels that have begun, by level. */
  readonly #begun: (Member | undefined)[] = [];
  /** The member whose value is the next thing. */
  #awaiting: Member | undefined;
  #name = '';
  /** Bytes of earlier pieces that are not checked yet, and from where on those of this piece are not. */
  #unchecked: Uint8Array[] = [];
  #start = 0;
  /** What stands for everything before these bytes. */
  #before = '';
  /** Where the piece, and the bytes that are not checked, begin in the text. */
  #offset = 0;
  #checked = 0;
  #inString = false;
  /** Whether the string is the name of a member. */
  #isName = false;
  #escaped = false;
  /** Where the last escape of the string begins. */
  #escapeAt = -Infinity;
  /** The last byte outside strings that is not blank, and where it ends. */
  #last = 0;
  #end = 0;
  #first = 0;

  /** @param maxDepth - Levels of lists and objects. */
  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  /** Whether the text is an object. */
  get isObject(): boolean {
    return this.#first === OPEN_OBJECT;
  }

  /**
   * @param bytes - The next piece. It must not change before the end.
   * @throws {SyntaxError} If the text is not JSON in UTF-8.
   * @throws {NestingError} If it is nested too deeply.
   */
  push(bytes: Uint8Array): void {
    this.#start = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#inString) at = this.#string(bytes, at);
      else if ((bytes[at] as number) > SPACE) this.#structure(bytes, at);
    }
    if (this.#inString) this.#checkInString(bytes);
    this.#unchecked.push(bytes.subarray(this.#start));
    this.#offset += bytes.length;
  }

  /** Must be called after the last piece. @throws {SyntaxError} If the text is not JSON in UTF-8. */
  finish(): void {
    this.#start = 0;
    this.#check(new Uint8Array(0), 0, '');
  }

  /** @returns The position of the last byte read: the closing quote, or the end of the piece. */
  #string(bytes: Uint8Array, from: number): number {
    const isNoted = this.#isName && this.#open.length <= 2;
    for (let at = from; at < bytes.length; at += 1) {
      const code = bytes[at] as number;
      if (this.#escaped) this.#escaped = false;
      else if (code === BACKSLASH) {
        this.#escaped = true;
        this.#escapeAt = this.#offset + at;
      } else if (code === QUOTE) {
        this.#inString = false;
        this.#end = this.#offset + at + 1;
        return at;
      }
      if (isNoted && this.#name.length <= MAX_NAME) this.#name += String.fromCharCode(code);
    }
    return bytes.length;
  }

  #structure(bytes: Uint8Array, at: number): void {
    const code = bytes[at] as number;
    const position = this.#offset + at;
    if (this.#first === 0) this.#first = code;
    if (this.#awaiting !== undefined) {
      this.#awaiting.from = position;
      this.#awaiting = undefined;
    }
    if (code === QUOTE) this.#beginString();
    else if (code === COLON) this.#colon();
    else if (code === COMMA) this.#comma(bytes, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (this.#open.push(code) > this.#maxDepth) throw new NestingError(`more than ${this.#maxDepth} levels`);
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      this.#endMember();
      this.#open.pop();
    }
    this.#last = code;
    this.#end = position + 1;
  }

  #beginString(): void {
    this.#inString = true;
    this.#escaped = false;
    this.#escapeAt = -Infinity;
    this.#isName = this.#open.at(-1) === OPEN_OBJECT && (this.#last === OPEN_OBJECT || this.#last === COMMA);
    this.#name = '';
  }

  #colon(): void {
    const depth = this.#open.length;
    if (depth > 2) return;
    const isShort = this.#name.length <= MAX_NAME;
    const name = isShort && this.#name.includes('\\') ? (JSON.parse(`"${this.#name}"`) as string) : this.#name;
    this.#awaiting = { name, from: undefined };
    this.#begun[depth] = this.#awaiting;
    if (depth === 1 && name === 'error') this.errorMembers.clear();
  }

  #comma(bytes: Uint8Array, at: number): void {
    this.#endMember();
    // After an opening bracket, a comma is an error that the part before it would hide.
    const follows = this.#last !== OPEN_LIST && this.#last !== OPEN_OBJECT;
    if (follows && this.#offset + at - this.#checked >= PART_BYTES) this.#check(bytes, at, '0');
  }

  /** The value before this byte has ended. */
  #endMember(): void {
    const depth = this.#open.length;
    const { name, from } = this.#begun[depth] ?? {};
    if (name === undefined || from === undefined) return;
    this.#begun[depth] = undefined;
    const extent = { from, end: this.#end };
    if (depth === 1) this.members.set(name, extent);
    else if (this.#begun[1]?.name === 'error') this.errorMembers.set(name, extent);
  }

  /** Checks what there is of a long string: up to a whole character, and not within an escape. */
  #checkInString(bytes: Uint8Array): void {
    const whole = endOfWhole(bytes);
    const escape = this.#escapeAt - this.#offset;
    const at = whole < escape + ESCAPE_BYTES ? escape : whole;
    if (at > this.#start && this.#offset + at - this.#checked >= PART_BYTES) this.#check(bytes, at, '"');
  }

  /**
   * Checks everything before a position, which is not checked yet.
   *
   * @param inside - What the next part begins in: a string (`"`), or a list or object after a value (`0`); empty at the
   * end of the text.
   */
  #check(bytes: Uint8Array, at: number, inside: '"' | '0' | ''): void {
    const part = Buffer.concat([...this.#unchecked, bytes.subarray(this.#start, at)]);
    if (!isUtf8(part)) throw new SyntaxError('not UTF-8');
    // The grammar of JSON does not tell characters beyond ASCII apart.
    const text = this.#before + part.toString('latin1');
    JSON.parse(inside === '' ? text : text + this.#closing(inside));
    this.#before = this.#opening(inside);
    this.#unchecked = [];
    this.#start = at;
    this.#checked = this.#offset + at;
  }

  /** What closes everything that is open. */
  #closing(inside: '"' | '0'): string {
    const brackets = this.#open.map((code) => (code === OPEN_OBJECT ? '}' : ']')).reverse();
    return `${inside === '"' ? (this.#isName ? '":0' : '"') : ''}${brackets.join('')}`;
  }

  /** What opens everything that is open, up to within the innermost. */
  #opening(inside: '"' | '0' | ''): string {
    const brackets = this.#open.map((code) => (code === OPEN_OBJECT ? '{"":' : '['));
    if (inside === '"' && this.#isName) return `${brackets.slice(0, -1).join('')}{"`;
    return brackets.join('') + inside;
  }
}
