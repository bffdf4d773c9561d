import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { fromHex, type Hex, NOT_BYTES, writeHex } from '../bytes';
import { counted } from '../units';
import { type Path, refuse } from './path';

/** Hashes of values, by value. */
type Hashes = Map<string, Uint8Array>;

/** The state of a traversal: the current path, the number of values visited, and what was hashed of each type. */
export type Walk = { readonly path: Path; nodes: number; readonly strings: Hashes; readonly bytes: Hashes };

/** Validates one value and writes its 32-byte word (EIP-712, encodeData) at `at`. */
export type Encoder = (value: unknown, out: Uint8Array, at: number, walk: Walk) => void;

const DECIMAL = /^(?:0|-?[1-9][0-9]*)$/u;
const HEX_QUANTITY = /^0x[0-9a-fA-F]+$/u;
const HEX_BYTES = /^0x(?:[0-9a-fA-F]{2})*$/u;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/u;
/** 2^256 has 78 decimal digits. A longer text cannot be in range, so it is not parsed. */
const LONGEST_DECIMAL = 79;
/** The length of 0x and the hex digits of 32 bytes. */
const LONGEST_HEX = 66;

/** In the snap's runtime every access to a global searches several scopes, so hot paths use local names. */
const { asUintN } = BigInt;
const { isSafeInteger } = Number;
const [toBigInt, toNumber] = [BigInt, Number];

function integerOf(value: unknown, walk: Walk): bigint {
  if (typeof value === 'number') {
    return isSafeInteger(value)
      ? toBigInt(value)
      : refuse(
          walk.path,
          'must be a whole number; beyond 2^53-1 it must be a string, because JSON numbers lose precision',
        );
  }
  if (typeof value === 'string') {
    const isDecimal = DECIMAL.test(value);
    if (isDecimal && value.length > LONGEST_DECIMAL) refuse(walk.path, 'must have at most 78 decimal digits');
    const isHex = !isDecimal && HEX_QUANTITY.test(value);
    if (isHex && value.length > LONGEST_HEX) refuse(walk.path, 'must have at most 64 hex digits after 0x');
    if (isDecimal || isHex) return toBigInt(value);
  }
  return refuse(walk.path, 'must be a whole number: a JSON number, a decimal string, or a 0x hex string');
}

function integer(type: string, signed: boolean, bits: number): Encoder {
  const least = signed ? -(1n << BigInt(bits - 1)) : 0n;
  const most = (1n << BigInt(signed ? bits - 1 : bits)) - 1n;
  return (value, out, at, walk) => {
    const quantity = integerOf(value, walk);
    if (quantity < least || quantity > most) refuse(walk.path, `must fit ${type}`);
    // Two's complement, big-endian, written from the last four bytes backwards. The rest stays zero.
    let rest = asUintN(256, quantity);
    for (let end = at + 32; rest !== 0n; end -= 4, rest >>= 32n) {
      const four = toNumber(rest & 0xffffffffn);
      out[end - 1] = four;
      out[end - 2] = four >>> 8;
      out[end - 3] = four >>> 16;
      out[end - 4] = four >>> 24;
    }
  };
}

const bool: Encoder = (value, out, at, walk) => {
  if (typeof value !== 'boolean') refuse(walk.path, 'must be true or false');
  out[at + 31] = value ? 1 : 0;
};

const address: Encoder = (value, out, at, walk) => {
  if (typeof value !== 'string' || !ADDRESS.test(value)) refuse(walk.path, 'must be an address: 0x and 40 hex digits');
  writeHex(value as Hex, out, at + 12);
};

const textEncoder = new TextEncoder();
const shortText = new Uint8Array(64);

/**
 * Encodes UTF-8. Most strings are short ASCII, which is written directly because calling the engine's encoder is
 * slower.
 */
function utf8Bytes(text: string): Uint8Array {
  if (text.length > shortText.length) return textEncoder.encode(text);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x80) return textEncoder.encode(text);
    shortText[index] = code;
  }
  return shortText.subarray(0, text.length);
}

/** Lists repeat values, such as the unit of every amount. Comparing a text is far quicker than hashing it. */
function hashOnce<Value extends string>(
  value: Value,
  hashes: Hashes,
  bytesOf: (value: Value) => Uint8Array,
): Uint8Array {
  const known = hashes.get(value);
  if (known !== undefined) return known;
  const hash = keccak256(bytesOf(value));
  hashes.set(value, hash);
  return hash;
}

const string: Encoder = (value, out, at, walk) => {
  if (typeof value !== 'string') refuse(walk.path, 'must be a string');
  if (!value.isWellFormed()) refuse(walk.path, 'must be well-formed Unicode: it contains half a surrogate pair');
  out.set(hashOnce(value, walk.strings, utf8Bytes), at);
};

const isBytes = (value: unknown): value is Hex => typeof value === 'string' && HEX_BYTES.test(value);

const bytes: Encoder = (value, out, at, walk) => {
  if (!isBytes(value)) refuse(walk.path, NOT_BYTES);
  out.set(hashOnce(value, walk.bytes, fromHex), at);
};

function fixedBytes(length: number): Encoder {
  return (value, out, at, walk) => {
    if (!isBytes(value)) refuse(walk.path, NOT_BYTES);
    if (value.length !== 2 + 2 * length) refuse(walk.path, `must be exactly ${counted(length, 'byte')}`);
    writeHex(value, out, at);
  };
}

const INTEGER_TYPE = /^(u?)int([1-9][0-9]{0,2})$/u;
const FIXED_BYTES_TYPE = /^bytes([1-9]|[12][0-9]|3[0-2])$/u;

/**
 * @param type - A type name without an array suffix.
 * @returns The encoder of an atomic or dynamic EIP-712 type, or undefined for any other name. That includes `uint` and
 * `int`: EIP-712 has "no aliases", and libraries disagree about their hash.
 */
export function atomicEncoder(type: string): Encoder | undefined {
  switch (type) {
    case 'bool':
      return bool;
    case 'address':
      return address;
    case 'string':
      return string;
    case 'bytes':
      return bytes;
    default: {
      const [, unsigned, bits] = INTEGER_TYPE.exec(type) ?? [];
      if (bits !== undefined && Number(bits) % 8 === 0 && Number(bits) <= 256) {
        return integer(type, unsigned === '', Number(bits));
      }
      const [, length] = FIXED_BYTES_TYPE.exec(type) ?? [];
      return length === undefined ? undefined : fixedBytes(Number(length));
    }
  }
}
