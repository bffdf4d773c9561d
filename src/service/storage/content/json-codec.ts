import { type DecodeOptions, Token, Type } from 'cborg';
import { decode, Tokenizer } from 'cborg/json';
import { base64 } from 'multiformats/bases/base64';
import { parseCid } from './cids';
import { goEscapes, indented } from './go-json';
import { floatOf } from './data-model';
import { NodeBounds } from './node-bounds';
import { type Forms, jsonText } from './write-json';

const NUMBER = /^-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;
/**
 * Length of the smallest integer with its sign. A number with more digits is rejected, because parsing it would be
 * slow.
 */
const MOST_CHARACTERS = 20;

const quoted = (text: string): string => JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text);
const outOfRange = (text: string): RangeError => new RangeError(`parsing ${quoted(text)}: value out of range`);

/** Parses a number as Kubo does: a float if it has a point or an exponent. */
function numberOf(text: string): { type: Type; value: unknown } {
  const match = NUMBER.exec(text);
  if (match === null) throw new SyntaxError(`invalid number ${quoted(text)}`);
  if (match[1] !== undefined || match[2] !== undefined) {
    const float = Number(text);
    if (!Number.isFinite(float)) throw outOfRange(text);
    return { type: Type.float, value: floatOf(float) };
  }
  const exact = text.length > MOST_CHARACTERS ? undefined : BigInt(text);
  if (exact === undefined || exact < MIN_INT64 || exact > MAX_UINT64) throw outOfRange(text);
  const number = Number(exact);
  return { type: exact < 0n ? Type.negint : Type.uint, value: Number.isSafeInteger(number) ? number : exact };
}

/** Tokens of JSON, with numbers as in Kubo, within the bounds of a node. */
class JsonTokenizer extends Tokenizer {
  readonly #bounds = new NodeBounds();

  override next(): Token {
    const token = super.next();
    this.#bounds.take(token);
    return token;
  }

  override parseNumber(): Token {
    const start = this._pos;
    while (!this.done() && /[-+.\deE]/.test(String.fromCharCode(this.ch()))) this._pos++;
    const { type, value } = numberOf(Buffer.from(this.data.subarray(start, this._pos)).toString('latin1'));
    return new Token(type, value, this._pos - start);
  }
}

/** Tokens of DAG-JSON: `{"/": "<cid>"}` is a link, `{"/": {"bytes": "<base64>"}}` is bytes; no other form is either. */
class DagJsonTokenizer extends JsonTokenizer {
  readonly #ahead: Token[] = [];

  override done(): boolean {
    return this.#ahead.length === 0 && super.done();
  }

  override next(): Token {
    const token = this.#ahead.shift() ?? super.next();
    if (!Type.equals(token.type, Type.map) || !this.#follow('/')) return token;
    const link = this.#peek(1);
    if (Type.equals(link.type, Type.string)) {
      if (!this.#ends(2)) return token;
      this.#ahead.splice(0, 3, new Token(Type.string, link.value, 1));
      return new Token(Type.tag, 42, 0);
    }
    if (!Type.equals(link.type, Type.map) || !this.#follow('bytes', 2)) return token;
    const text = this.#peek(3);
    if (!Type.equals(text.type, Type.string) || !this.#ends(4) || !this.#ends(5)) return token;
    this.#ahead.splice(0, 6);
    return new Token(Type.bytes, base64.decode(`m${String(text.value).replace(/={1,2}$/, '')}`), 0);
  }

  #peek(index: number): Token {
    while (this.#ahead.length <= index) this.#ahead.push(super.next());
    return this.#ahead[index] as Token;
  }

  #follow(key: string, index = 0): boolean {
    const { type, value } = this.#peek(index);
    return Type.equals(type, Type.string) && value === key;
  }

  #ends(index: number): boolean {
    return Type.equals(this.#peek(index).type, Type.break);
  }
}

const DECODING: DecodeOptions = { allowBigInt: true, useMaps: true, rejectDuplicateMapKeys: true };
const WITH_LINKS: DecodeOptions = { ...DECODING, tags: { 42: (content) => parseCid(String(content())) } };

/** Removes trailing white space, which is not a second value. */
function trimmed(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && [0, 9, 10, 13, 32].includes(bytes[end - 1] ?? -1)) end--;
  return bytes.subarray(0, end);
}

/** In the order of their bytes: that of JavaScript differs beyond the first 65,536 characters. */
const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

const DAG_JSON: Forms = {
  link: (cid) => `{"/":${JSON.stringify(cid.toString())}}`,
  bytes: (bytes) => `{"/":{"bytes":"${Buffer.from(bytes).toString('base64').replace(/=+$/, '')}"}}`,
  order: byBytes,
};

const JSON_WITHOUT_LINKS: Forms = {
  link: () => {
    throw new TypeError('cannot Marshal ipld links to JSON');
  },
  bytes: () => {
    throw new TypeError('cannot write bytes as JSON');
  },
};

const textOf = (value: unknown, forms: Forms): string => goEscapes(jsonText(value, forms));

export const dagJsonCodec = {
  code: 0x0129,
  encode: (value: unknown): Uint8Array => Buffer.from(textOf(value, DAG_JSON)),
  decode: (bytes: Uint8Array): unknown => {
    const content = trimmed(bytes);
    return decode(content, { ...WITH_LINKS, tokenizer: new DagJsonTokenizer(content, WITH_LINKS) });
  },
};

/** Plain JSON, which Kubo indents. */
export const jsonCodec = {
  code: 0x0200,
  encode: (value: unknown): Uint8Array => Buffer.from(indented(textOf(value, JSON_WITHOUT_LINKS))),
  decode: (bytes: Uint8Array): unknown => {
    const content = trimmed(bytes);
    return decode(content, { ...DECODING, tokenizer: new JsonTokenizer(content, DECODING) });
  },
};
