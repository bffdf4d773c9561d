import { JsonScan } from './json-scan';

/*
 * Forwarded values keep their original text: JavaScript reads every number as a double, and could write a different
 * one. These functions find the text of a part of a JSON text.
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

/** Calls back for each member or item of a list or object, with duplicates. */
function eachIn(text: string, found: (part: Part, name: string) => void): void {
  const scan = new JsonScan({
    depth: 1,
    longest: Infinity,
    ended: ({ depth, name = '', from, end, levels }) => {
      if (depth === 1) found({ text: text.slice(from, end), levels }, name);
    },
  });
  scan.push(text);
}

/**
 * @param text - JSON of an object.
 * @returns The members; of duplicates the last, as in JSON.parse.
 */
export function membersOf(text: string): Map<string, Part> {
  const members = new Map<string, Part>();
  eachIn(text, (part, name) => members.set(name, part));
  return members;
}

/**
 * @param text - JSON of a list.
 * @returns The items.
 */
export function itemsOf(text: string): Part[] {
  const items: Part[] = [];
  eachIn(text, (part) => items.push(part));
  return items;
}

/**
 * @param text - JSON.
 * @returns Whether an object in it has two members of one name: which of them counts depends on who reads it.
 */
export function repeatsNames(text: string): boolean {
  let repeats = false;
  const names: Set<string>[] = [];
  const scan = new JsonScan({
    depth: Infinity,
    longest: Infinity,
    ended: ({ depth, kind, name }) => {
      if (kind !== 'other') names[depth + 1]?.clear();
      if (name === undefined) return;
      const known = (names[depth] ??= new Set());
      repeats ||= known.has(name);
      known.add(name);
    },
  });
  scan.push(text);
  return repeats;
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
