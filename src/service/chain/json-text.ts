/*
 * Forwarded values keep their original text: JavaScript reads every number as a double, and could write a different
 * one. These functions find the text of a part of a JSON text that JSON.parse has already accepted; they do not
 * validate.
 */

/** A value that is already JSON. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** A value and the text it was parsed from. */
export type Written = { readonly value: unknown; readonly text: string };

/** A long value that is already JSON, in pieces that are sent as they are: one string of it would take long to make. */
export class JsonPieces implements Written {
  readonly pieces: readonly Uint8Array[];
  /** In bytes. */
  readonly length: number;

  constructor(pieces: readonly Uint8Array[]) {
    this.pieces = pieces;
    this.length = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** Joins texts and pieces. */
  static of(...parts: readonly Json[]): JsonPieces {
    return new JsonPieces(parts.flatMap((part) => (typeof part === 'string' ? Buffer.from(part) : part.pieces)));
  }

  get text(): string {
    return Buffer.concat(this.pieces).toString('utf8');
  }

  get value(): unknown {
    return JSON.parse(this.text);
  }
}

/** JSON of any length. */
export type Json = string | JsonPieces;

/** What is sent one after the other. */
export const piecesOf = (json: Json): readonly (string | Uint8Array)[] =>
  typeof json === 'string' ? [json] : json.pieces;

export const byteLengthOf = (json: Json): number => (typeof json === 'string' ? Buffer.byteLength(json) : json.length);

/**
 * The text of a member or an item, and its nesting depth, including members that JSON.parse drops because a later one
 * has the same name.
 */
export type Part = { text: string; levels: number };

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Tab, line feed, carriage return and space: every other JSON character outside strings is at or above `!`. */
const isBlank = (code: number) => code <= 0x20;

function afterBlanks(text: string, at: number): number {
  let next = at;
  while (isBlank(text.charCodeAt(next))) next += 1;
  return next;
}

/** @returns The end of the string that starts at `at`. */
function afterString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
}

/** @returns The list or object that starts at `at`. */
function nestedAt(text: string, at: number): Part {
  let depth = 0;
  let levels = 0;
  for (let next = at; ; next += 1) {
    const code = text.charCodeAt(next);
    if (code === QUOTE) next = afterString(text, next) - 1;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      depth += 1;
      if (depth > levels) levels = depth;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return { text: text.slice(at, next + 1), levels };
    }
  }
}

/** @returns The end of a number, `true`, `false` or `null` that starts at `at`. */
function afterWord(text: string, at: number): number {
  for (let next = at + 1; ; next += 1) {
    const code = text.charCodeAt(next);
    if (isBlank(code) || code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT) return next;
  }
}

/** @returns The value that starts at `at`; something must follow it. */
function valueAt(text: string, at: number): Part {
  const code = text.charCodeAt(at);
  if (code === OPEN_OBJECT || code === OPEN_LIST) return nestedAt(text, at);
  return { text: text.slice(at, code === QUOTE ? afterString(text, at) : afterWord(text, at)), levels: 0 };
}

/** @returns The start of the next member or item, or the end of the list or object. */
function afterComma(text: string, at: number): number {
  const next = afterBlanks(text, at);
  return text.charCodeAt(next) === COMMA ? afterBlanks(text, next + 1) : next;
}

/**
 * @param text - JSON of an object.
 * @returns The members; of duplicates the last, as in JSON.parse.
 */
export function membersOf(text: string): Map<string, Part> {
  const members = new Map<string, Part>();
  let at = afterBlanks(text, afterBlanks(text, 0) + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const nameEnd = afterString(text, at);
    const start = afterBlanks(text, afterBlanks(text, nameEnd) + 1);
    const part = valueAt(text, start);
    members.set(JSON.parse(text.slice(at, nameEnd)) as string, part);
    at = afterComma(text, start + part.text.length);
  }
  return members;
}

/**
 * @param text - JSON of a list.
 * @returns The items.
 */
export function itemsOf(text: string): Part[] {
  const items: Part[] = [];
  let at = afterBlanks(text, afterBlanks(text, 0) + 1);
  while (text.charCodeAt(at) !== CLOSE_LIST) {
    const part = valueAt(text, at);
    items.push(part);
    at = afterComma(text, at + part.text.length);
  }
  return items;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * Serializes a value derived from another; unchanged parts keep their original text.
 *
 * @param value - The value to serialize.
 * @param source - The value it was derived from.
 * @returns JSON.
 */
export function writtenAs(value: unknown, source: Written): string {
  if (value === source.value) return source.text;
  if (!isObject(value) || !isObject(source.value) || Array.isArray(value) !== Array.isArray(source.value))
    return JSON.stringify(value);
  const from = source.value;
  const parts = Array.isArray(from)
    ? new Map(itemsOf(source.text).map((part, i) => [String(i), part]))
    : membersOf(source.text);
  const entries = Object.entries(value).map(([name, member]) => {
    const part = parts.get(name);
    const text =
      part === undefined ? JSON.stringify(member) : writtenAs(member, { value: from[name], text: part.text });
    return Array.isArray(value) ? text : `${JSON.stringify(name)}:${text}`;
  });
  return Array.isArray(value) ? `[${entries.join(',')}]` : `{${entries.join(',')}}`;
}
