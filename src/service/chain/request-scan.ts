import { invalidRequest } from './errors';

/** Levels of lists and objects: 64 for parameters, plus the request and its batch. */
export const MAX_DEPTH = 68;

/** Values in one text: about 6 ms for JSON.parse at worst. A batch of a hundred requests has a few thousand. */
export const MAX_VALUES = 20_000;

/** Bytes of a request whose parameters have a fixed size, which is every method that is answered here. */
export const SHORT_REQUEST = 1024;

/** A longer name is no known method. */
const MAX_NAME = 128;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

/** @param items - How many a batch may have. */
export const batchTooLarge = (items: number) => invalidRequest(`batch too large, at most ${items} requests`, 413);

/** What a body may hold. */
export type ScanLimits = {
  /** Requests in one batch. */
  batchItems: number;
  /** Whether requests for a method may be longer than {@link SHORT_REQUEST}. */
  mayBeLong: (method: string) => boolean;
};

/**
 * Reads JSON piece by piece, as it arrives, and refuses what would take long to parse before the rest has arrived: deep
 * nesting, very many values, a batch that is too large, and a request that is longer than its method needs. It keeps
 * nothing but the length of each request, and does not check whether the text is JSON; JSON.parse does.
 *
 * A method is recognized only where it is written without escapes; any other request, and what is no request at all, is
 * at most {@link SHORT_REQUEST} bytes long.
 */
export class RequestScan {
  /** Bytes of each complete request, by its position in the batch. */
  readonly lengths: number[] = [];
  readonly #limits: ScanLimits;
  #offset = 0;
  #depth = 0;
  #values = 1;
  /** Level of the members of a request: 1, or 2 in a batch. */
  #memberLevel = 1;
  #isBatch = false;
  #started = false;
  #item = 0;
  #inString = false;
  #escaped = false;
  /** The string at the level of members, as far as it may be a name. */
  #text = '';
  #name: string | undefined;
  #afterColon = false;
  #method: string | undefined;
  /** Where the request began; undefined between requests. */
  #start: number | undefined;
  /** Whether it is an object, as it must be. */
  #isObject = false;

  constructor(limits: ScanLimits) {
    this.#limits = limits;
  }

  /**
   * @param bytes - The next piece.
   * @throws {RpcError} -32600 with status 413, naming the bound.
   */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) {
      const code = bytes[at] as number;
      if (this.#inString) at = this.#string(bytes, at);
      else if (code > SPACE) this.#structure(code, this.#offset + at);
    }
    this.#offset += bytes.length;
    if (this.#start === undefined) return;
    if (this.#method !== undefined || !this.#isObject) this.#checkLength(this.#offset - this.#start);
  }

  /** @returns The position of the last byte read: the closing quote, or the end of the piece. */
  #string(bytes: Uint8Array, from: number): number {
    const isMember = this.#depth === this.#memberLevel;
    for (let at = from; at < bytes.length; at += 1) {
      const code = bytes[at] as number;
      if (this.#escaped) this.#escaped = false;
      else if (code === BACKSLASH) this.#escaped = true;
      else if (code === QUOTE) {
        this.#inString = false;
        if (isMember) this.#endString();
        return at;
      }
      if (isMember && this.#text.length < MAX_NAME) this.#text += String.fromCharCode(code);
    }
    return bytes.length;
  }

  #endString(): void {
    if (!this.#afterColon) this.#name = this.#text;
    else if (this.#name === 'method') this.#method = this.#text;
  }

  #structure(code: number, position: number): void {
    if (!this.#started) {
      this.#started = true;
      this.#isBatch = code === OPEN_LIST;
      this.#memberLevel = this.#isBatch ? 2 : 1;
    }
    const isBetween = this.#start === undefined && this.#depth === this.#memberLevel - 1;
    if (isBetween && code !== COMMA && code !== CLOSE_LIST) this.#begin(code, position);
    if (code === QUOTE) {
      this.#inString = true;
      this.#text = '';
    } else if (code === COLON) this.#afterColon ||= this.#depth === this.#memberLevel;
    else if (code === COMMA) this.#comma(position);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) this.#open();
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) this.#close(position);
  }

  #begin(code: number, position: number): void {
    this.#start = position;
    this.#isObject = code === OPEN_OBJECT;
    this.#name = undefined;
    this.#method = undefined;
    this.#afterColon = false;
  }

  #end(position: number): void {
    if (this.#start === undefined) return;
    const length = position - this.#start;
    this.#checkLength(length);
    this.lengths[this.#item] = length;
    this.#start = undefined;
  }

  #comma(position: number): void {
    this.#count();
    if (this.#depth === this.#memberLevel) this.#afterColon = false;
    else if (this.#isBatch && this.#depth === 1) {
      this.#end(position);
      this.#item += 1;
      if (this.#item >= this.#limits.batchItems) throw batchTooLarge(this.#limits.batchItems);
    }
  }

  #open(): void {
    this.#count();
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw invalidRequest(`nested more than ${MAX_DEPTH} levels deep`, 413);
  }

  #close(position: number): void {
    if (this.#depth === this.#memberLevel) this.#end(position + 1);
    else if (this.#depth < this.#memberLevel) this.#end(position);
    this.#depth -= 1;
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > MAX_VALUES) throw invalidRequest(`more than ${MAX_VALUES} values`, 413);
  }

  #checkLength(length: number): void {
    if (length <= SHORT_REQUEST) return;
    if (!this.#isObject)
      throw invalidRequest(`a request must be an object; anything else is at most ${SHORT_REQUEST} bytes long`, 413);
    if (this.#method === undefined || !this.#limits.mayBeLong(this.#method))
      throw invalidRequest(`a request for this method is at most ${SHORT_REQUEST} bytes long`, 413);
  }
}
