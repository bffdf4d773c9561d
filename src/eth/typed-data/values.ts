import { utf8ToBytes } from '@noble/hashes/utils.js';

import { fromHex, type Hex } from '../bytes';
import { keccak256 } from '../keccak';
import { type Path, refuse } from './path';

/** The work so far on one value: its path, and how many values were visited. */
export type Walk = { readonly path: Path; nodes: number };

/** Checks one value and writes its 32-byte word (EIP-712, encodeData) at `at`. */
export type Encoder = (value: unknown, out: Uint8Array, at: number, walk: Walk) => void;

const DECIMAL = /^(?:0|-?[1-9][0-9]*)$/u;
const HEX_QUANTITY = /^0x[0-9a-fA-F]{1,64}$/u;
const HEX_BYTES = /^0x(?:[0-9a-fA-F]{2})*$/u;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/u;
/** 2^256 has 78 decimal digits; a longer text cannot be in range, and parsing it would only cost time. */
const LONGEST_DECIMAL = 79;

function integerOf(value: unknown, walk: Walk): bigint {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value)
      ? BigInt(value)
      : refuse(
          walk.path,
          'must be a whole number; beyond 2^53-1 it must be a string, as JSON numbers lose digits there',
        );
  }
  if (
    typeof value === 'string' &&
    (HEX_QUANTITY.test(value) || (value.length <= LONGEST_DECIMAL && DECIMAL.test(value)))
  ) {
    return BigInt(value);
  }
  return refuse(walk.path, 'must be a whole number: a JSON number, a decimal string, or a 0x hex string');
}

function integer(type: string, signed: boolean, bits: number): Encoder {
  const least = signed ? -(1n << BigInt(bits - 1)) : 0n;
  const most = (1n << BigInt(signed ? bits - 1 : bits)) - 1n;
  return (value, out, at, walk) => {
    const quantity = integerOf(value, walk);
    if (quantity < least || quantity > most) refuse(walk.path, `must fit ${type}`);
    // Two's complement, big-endian, from the last byte on; what is not written stays zero.
    let rest = BigInt.asUintN(256, quantity);
    for (let index = at + 31; rest !== 0n; index--, rest >>= 8n) out[index] = Number(rest & 0xffn);
  };
}

const bool: Encoder = (value, out, at, walk) => {
  if (typeof value !== 'boolean') refuse(walk.path, 'must be true or false');
  out[at + 31] = value ? 1 : 0;
};

const address: Encoder = (value, out, at, walk) => {
  if (typeof value !== 'string' || !ADDRESS.test(value)) refuse(walk.path, 'must be an address: 0x and 40 hex digits');
  out.set(fromHex(value as Hex), at + 12);
};

const string: Encoder = (value, out, at, walk) => {
  if (typeof value !== 'string') refuse(walk.path, 'must be a string');
  if (!value.isWellFormed()) refuse(walk.path, 'must be well-formed Unicode: it holds half a surrogate pair');
  out.set(keccak256(utf8ToBytes(value)), at);
};

function bytesOf(value: unknown, walk: Walk): Uint8Array {
  if (typeof value !== 'string' || !HEX_BYTES.test(value))
    refuse(walk.path, 'must be bytes: 0x and an even number of hex digits');
  return fromHex(value as Hex);
}

const bytes: Encoder = (value, out, at, walk) => {
  out.set(keccak256(bytesOf(value, walk)), at);
};

function fixedBytes(length: number): Encoder {
  return (value, out, at, walk) => {
    const given = bytesOf(value, walk);
    if (given.length !== length) refuse(walk.path, `must be exactly ${length} bytes`);
    out.set(given, at);
  };
}

const INTEGER_TYPE = /^(u?)int([1-9][0-9]{0,2})$/u;
const FIXED_BYTES_TYPE = /^bytes([1-9]|[12][0-9]|3[0-2])$/u;

/**
 * @param type - A type name without array suffix.
 * @returns The encoder of an atomic or dynamic type of EIP-712, or undefined if it is none. `uint` and
 * `int` are none: "there are no aliases" in EIP-712, and libraries disagree about what they hash to.
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
