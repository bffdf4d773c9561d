import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

import { counted } from '../units';
import { mayBeRepeated, quoted } from '../../errors';
import { type Path, refuse } from './path';
import { atomicEncoder, type Encoder, type Walk } from './values';

/** One member of a struct type. */
export type TypedDataMember = { readonly name: string; readonly type: string };
/** The struct types by name, including `EIP712Domain`. */
export type TypedDataTypes = Readonly<Record<string, readonly TypedDataMember[]>>;

/** A compiled struct type: each member with its encoder, and keccak256(encodeType). */
type StructType = {
  readonly name: string;
  readonly members: readonly { readonly name: string; readonly encode: Encoder }[];
  readonly typeHash: Uint8Array;
};

/** Limits on the work an unknown dapp can cause, far above any real payload. */
const MAX_TYPES = 256;
const MAX_MEMBERS = 1024;
const MAX_DEPTH = 64;
const MAX_NAME_LENGTH = 256;
/** The maximum number of characters of all encodeType strings together, since each is hashed. */
const MAX_ENCODE_TYPE = 1_000_000;
const MAX_NODES = 100_000;

/** In the snap's runtime every access to a global searches several scopes, so hot paths use local names. */
const { hasOwn } = Object;
const { isArray } = Array;
const Bytes = Uint8Array;

/** Real payloads contain colons. Spaces, commas and brackets would make encodeType ambiguous. */
const TYPE_NAME = /^[A-Za-z_$][A-Za-z0-9_$:]*$/u;
const MEMBER_NAME = /^[A-Za-z_$][A-Za-z0-9_$]*$/u;
const ATOMIC_LOOKING = /^(?:u?int[0-9]*|bytes[0-9]*|bool|address|string)$/u;
/** JSON can contain an own property of this name, which other programs skip or misinterpret. */
const PROTOTYPE = '__proto__';
const ARRAY_SUFFIX = /\[([1-9][0-9]{0,5})?\]$/u;
const ARRAY_SUFFIXES = /(?:\[(?:[1-9][0-9]{0,5})?\])+$/u;

const withoutArrays = (type: string): string => {
  const bracket = type.indexOf('[');
  return bracket === -1 ? type : type.slice(0, bracket);
};

const membersOf = (types: TypedDataTypes, name: string): readonly TypedDataMember[] =>
  Object.hasOwn(types, name) ? (types[name] ?? []) : [];

/**
 * encodeType of EIP-712: the struct, followed by every struct it refers to, sorted by name.
 *
 * @param types - Valid definitions.
 */
export function encodeType(types: TypedDataTypes, name: string): string {
  const referred = new Set<string>();
  const visit = (struct: string): void => {
    if (referred.has(struct)) return;
    referred.add(struct);
    for (const member of membersOf(types, struct)) {
      const base = withoutArrays(member.type);
      if (Object.hasOwn(types, base)) visit(base);
    }
  };
  visit(name);
  referred.delete(name);
  return [name, ...[...referred].sort()]
    .map(
      (struct) =>
        `${struct}(${membersOf(types, struct)
          .map(({ name: member, type }) => `${type} ${member}`)
          .join(',')})`,
    )
    .join('');
}

/** The validated types of one request, with their compiled encoders. */
export class TypedDataSchema {
  readonly #types: TypedDataTypes;
  readonly #structs = new Map<string, StructType>();
  readonly #encoders = new Map<string, Encoder>();
  #encodedLength = 0;

  /**
   * @param types - The types from the request. Only own properties count.
   * @throws {InvalidParamsError} If EIP-712 does not allow a definition, even an unused one.
   */
  constructor(types: TypedDataTypes) {
    this.#types = types;
    this.#check();
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#types, name);
  }

  /** @returns The members of an existing struct type. */
  membersOf(name: string): readonly TypedDataMember[] {
    return membersOf(this.#types, name);
  }

  /**
   * hashStruct of EIP-712.
   *
   * @param name - An existing struct type.
   * @param value - Must have all members of the type, recursively. Other members are not hashed.
   * @param root - The name of the value in the request, for error messages.
   * @returns 32 bytes.
   * @throws {InvalidParamsError} If a value is invalid; names the member and the rule it breaks.
   */
  hashStruct(name: string, value: unknown, root: string): Uint8Array {
    return this.#hash(this.#struct(name), value, { path: [root], nodes: 0, strings: new Map(), bytes: new Map() });
  }

  #check(): void {
    const names = Object.keys(this.#types);
    if (names.length > MAX_TYPES) refuse(['types'], `must define at most ${MAX_TYPES} types`);
    let members = 0;
    for (const name of names) {
      if (name.length > MAX_NAME_LENGTH)
        refuse(['types'], `must not name a type with more than ${MAX_NAME_LENGTH} characters`);
      if (!TYPE_NAME.test(name)) refuse(['types'], `type name ${quoted(name)} must be an identifier`);
      if (name === PROTOTYPE) refuse(['types'], `must not name a type ${PROTOTYPE}`);
      if (ATOMIC_LOOKING.test(name)) refuse(['types', name], 'must not have the name of a built-in type');
      members += this.membersOf(name).length;
      if (members > MAX_MEMBERS) refuse(['types'], `must define at most ${MAX_MEMBERS} members in all`);
      this.#checkMembers(name);
    }
  }

  #checkMembers(struct: string): void {
    const seen = new Set<string>();
    this.membersOf(struct).forEach(({ name, type }, index) => {
      const path: Path = ['types', struct, index];
      if (name.length > MAX_NAME_LENGTH) refuse([...path, 'name'], `must be at most ${MAX_NAME_LENGTH} characters`);
      if (!MEMBER_NAME.test(name)) refuse([...path, 'name'], 'must be an identifier');
      if (name === PROTOTYPE) refuse([...path, 'name'], `must not be ${PROTOTYPE}`);
      if (seen.has(name)) refuse([...path, 'name'], `must not repeat the member ${quoted(name)}`);
      seen.add(name);
      this.#checkType(type, [...path, 'type']);
    });
  }

  #checkType(type: string, path: Path): void {
    if (type.length > MAX_NAME_LENGTH) refuse(path, `must be at most ${MAX_NAME_LENGTH} characters`);
    const base = type.replace(ARRAY_SUFFIXES, '');
    if (atomicEncoder(base) === undefined && !this.has(base)) {
      refuse(path, `${quoted(type)} must be an EIP-712 type or a type defined in types`);
    }
  }

  #typeHash(name: string): Uint8Array {
    const text = encodeType(this.#types, name);
    this.#encodedLength += text.length;
    if (this.#encodedLength > MAX_ENCODE_TYPE) refuse(['types'], 'must be shorter or refer to fewer other types');
    return keccak256(utf8ToBytes(text));
  }

  #struct(name: string): StructType {
    const known = this.#structs.get(name);
    if (known !== undefined) return known;
    const members: { name: string; encode: Encoder }[] = [];
    const struct = { name, members, typeHash: this.#typeHash(name) };
    // Register the struct before resolving its members, because it may contain arrays of itself.
    this.#structs.set(name, struct);
    for (const member of this.membersOf(name)) members.push({ name: member.name, encode: this.#encoder(member.type) });
    return struct;
  }

  #encoder(type: string): Encoder {
    const known = this.#encoders.get(type);
    if (known !== undefined) return known;
    const encoder = this.#arrayEncoder(type) ?? atomicEncoder(type) ?? this.#structEncoder(type);
    this.#encoders.set(type, encoder);
    return encoder;
  }

  #structEncoder(type: string): Encoder {
    const struct = this.#struct(type);
    return (value, out, at, walk) => {
      out.set(this.#hash(struct, value, walk), at);
    };
  }

  #arrayEncoder(type: string): Encoder | undefined {
    const suffix = ARRAY_SUFFIX.exec(type);
    if (suffix === null) return undefined;
    const length = suffix[1] === undefined ? undefined : Number(suffix[1]);
    const encodeItem = this.#encoder(type.slice(0, suffix.index));
    return (value, out, at, walk) => {
      if (!isArray(value)) refuse(walk.path, 'must be an array');
      if (length !== undefined && value.length !== length)
        refuse(walk.path, `must have exactly ${counted(length, 'item')}`);
      this.#enter(walk, value.length);
      const words = new Bytes(32 * value.length);
      const depth = walk.path.length;
      for (let index = 0; index < value.length; index++) {
        walk.path[depth] = index;
        encodeItem(value[index], words, 32 * index, walk);
      }
      walk.path.length = depth;
      out.set(keccak256(words), at);
    };
  }

  #hash(struct: StructType, value: unknown, walk: Walk): Uint8Array {
    if (typeof value !== 'object' || value === null || isArray(value)) {
      refuse(
        walk.path,
        `must be an object with the members of ${mayBeRepeated(struct.name) ? struct.name : 'its type'}`,
      );
    }
    if (hasOwn(value, PROTOTYPE)) refuse(walk.path, `must not have a member ${PROTOTYPE}`);
    const { members } = struct;
    this.#enter(walk, members.length);
    const words = new Bytes(32 * (members.length + 1));
    words.set(struct.typeHash);
    const depth = walk.path.length;
    let at = 32;
    for (const { name, encode } of members) {
      walk.path[depth] = name;
      if (!hasOwn(value, name)) refuse(walk.path, 'is missing');
      encode((value as Record<string, unknown>)[name], words, at, walk);
      at += 32;
    }
    walk.path.length = depth;
    return keccak256(words);
  }

  #enter(walk: Walk, children: number): void {
    walk.nodes += children;
    if (walk.nodes > MAX_NODES) refuse([], `must contain at most ${MAX_NODES} values`);
    if (walk.path.length > MAX_DEPTH) refuse([], `must be at most ${MAX_DEPTH} levels deep`);
  }
}
