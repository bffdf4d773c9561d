import { randomBytes } from 'node:crypto';
import { SHA2_256 } from '../hashes';
import { type Multihash } from './store';

/** The position of a block: segment number, offset and length of its bytes, CRC-32 of its bytes. */
export type Location = {
  readonly segment: number;
  readonly offset: number;
  readonly length: number;
  readonly crc: number;
};

const EMPTY = 0;
const DELETED = 0xffffffff;
const DIGEST = 32;
const MAX_LOAD = 0.7;

const isSha256 = (key: Multihash) => key.length === DIGEST + 2 && key[0] === SHA2_256 && key[1] === DIGEST;

/** A multihash as a map key. */
export const keyText = (key: Multihash): string =>
  Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');

/**
 * Multihash -> location, 48 bytes per slot in flat arrays (a `Map` of objects takes about six times that). Keys other
 * than SHA2-256 go into an ordinary map.
 */
export class BlockIndex {
  #capacity = 1024;
  #used = 0;
  #count = 0;
  #digests = new Uint8Array(this.#capacity * DIGEST);
  #fields = new Uint32Array(this.#capacity * 4);
  readonly #others = new Map<string, Location>();
  /** Secret per process, so that nobody can construct digests that all fall into one slot. */
  readonly #seed = new Uint32Array(randomBytes(8).buffer.slice(0, 8));

  get size(): number {
    return this.#count + this.#others.size;
  }

  get(key: Multihash): Location | undefined {
    if (!isSha256(key)) return this.#others.get(keyText(key));
    const slot = this.#find(key, 2);
    return slot < 0 ? undefined : this.#locationAt(slot);
  }

  set(key: Multihash, location: Location): void {
    if (!isSha256(key)) {
      this.#others.set(keyText(key), location);
      return;
    }
    const found = this.#find(key, 2);
    if (found >= 0) {
      this.#store(found, location);
      return;
    }
    if (this.#used + 1 > this.#capacity * MAX_LOAD) this.#rehash();
    let slot = this.#slotOf(key, 2);
    while (!this.#isFree(slot)) slot = (slot + 1) % this.#capacity;
    if (this.#fields[slot * 4] === EMPTY) this.#used++;
    this.#count++;
    this.#digests.set(key.subarray(2), slot * DIGEST);
    this.#store(slot, location);
  }

  delete(key: Multihash): boolean {
    if (!isSha256(key)) return this.#others.delete(keyText(key));
    const slot = this.#find(key, 2);
    if (slot < 0) return false;
    this.#fields[slot * 4] = DELETED;
    this.#count--;
    return true;
  }

  /** Every key, in no order; entries may change during the iteration (a key that stays is yielded at least once). */
  *keys(): Generator<Multihash> {
    const digests = this.#digests;
    const fields = this.#fields;
    const capacity = this.#capacity;
    for (let slot = 0; slot < capacity; slot++) {
      const segment = fields[slot * 4];
      if (segment === EMPTY || segment === DELETED) continue;
      const key = new Uint8Array(DIGEST + 2);
      key[0] = SHA2_256;
      key[1] = DIGEST;
      key.set(digests.subarray(slot * DIGEST, (slot + 1) * DIGEST), 2);
      yield key;
    }
    for (const text of [...this.#others.keys()]) yield Buffer.from(text, 'latin1');
  }

  #isFree(slot: number): boolean {
    const segment = this.#fields[slot * 4];
    return segment === EMPTY || segment === DELETED;
  }

  #slotOf(bytes: Uint8Array, at: number): number {
    const word = (offset: number) =>
      (bytes[at + offset] ?? 0) |
      ((bytes[at + offset + 1] ?? 0) << 8) |
      ((bytes[at + offset + 2] ?? 0) << 16) |
      ((bytes[at + offset + 3] ?? 0) << 24);
    let mixed = Math.imul(word(0) ^ (this.#seed[0] ?? 0), 0x9e3779b1) ^ word(4);
    mixed = Math.imul(mixed ^ (mixed >>> 15) ^ (this.#seed[1] ?? 0), 0x85ebca77);
    return ((mixed ^ (mixed >>> 13)) >>> 0) % this.#capacity;
  }

  #find(bytes: Uint8Array, at: number): number {
    for (let slot = this.#slotOf(bytes, at); ; slot = (slot + 1) % this.#capacity) {
      const segment = this.#fields[slot * 4];
      if (segment === EMPTY) return -1;
      if (segment !== DELETED && this.#holds(slot, bytes, at)) return slot;
    }
  }

  #holds(slot: number, bytes: Uint8Array, at: number): boolean {
    const base = slot * DIGEST;
    for (let index = 0; index < DIGEST; index++) {
      if (this.#digests[base + index] !== bytes[at + index]) return false;
    }
    return true;
  }

  #locationAt(slot: number): Location {
    const [segment = 0, offset = 0, length = 0, crc = 0] = this.#fields.subarray(slot * 4, slot * 4 + 4);
    return { segment, offset, length, crc };
  }

  #store(slot: number, location: Location): void {
    this.#fields[slot * 4] = location.segment;
    this.#fields[slot * 4 + 1] = location.offset;
    this.#fields[slot * 4 + 2] = location.length;
    this.#fields[slot * 4 + 3] = location.crc;
  }

  #rehash(): void {
    const { digests, fields, capacity } = { digests: this.#digests, fields: this.#fields, capacity: this.#capacity };
    if (this.#count > capacity * (MAX_LOAD / 2)) this.#capacity *= 2;
    this.#digests = new Uint8Array(this.#capacity * DIGEST);
    this.#fields = new Uint32Array(this.#capacity * 4);
    this.#used = this.#count;
    for (let from = 0; from < capacity; from++) {
      const segment = fields[from * 4];
      if (segment === EMPTY || segment === DELETED) continue;
      let slot = this.#slotOf(digests, from * DIGEST);
      while (this.#fields[slot * 4] !== EMPTY) slot = (slot + 1) % this.#capacity;
      this.#digests.set(digests.subarray(from * DIGEST, (from + 1) * DIGEST), slot * DIGEST);
      this.#fields.set(fields.subarray(from * 4, from * 4 + 4), slot * 4);
    }
  }
}
