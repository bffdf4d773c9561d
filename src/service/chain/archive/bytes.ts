/** @returns Two lower-case digits per byte. */
export function hexDigits(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** @returns `0x` and two lower-case digits per byte. */
export function toHex(bytes: Uint8Array): string {
  return `0x${hexDigits(bytes)}`;
}

/**
 * V8 keeps a concatenated string as a tree of its parts, and flattens it again on every write.
 *
 * @param text - One byte per character.
 * @returns The same text as a flat string.
 */
export function flatten(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/**
 * @param hex - `0x`-prefixed, with an even number of digits, already validated.
 * @returns The bytes.
 */
export function fromHex(hex: string): Uint8Array {
  return Buffer.from(hex.slice(2), 'hex');
}

/** @returns Whether `length` bytes of `a` from `aAt` equal those of `b` from `bAt`. */
export function sameBytes(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (a[aAt + i] !== b[bAt + i]) return false;
  return true;
}

export const sameHash = (a: Uint8Array, b: Uint8Array) =>
  a.length === 32 && b.length === 32 && sameBytes(a, 0, b, 0, 32);

/** @returns The unsigned big-endian number in `bytes`; zero if empty. */
export function toBigInt(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(toHex(bytes));
}

/** @returns `value` as 32 bytes, big-endian. */
export function toBytes32(value: bigint): Uint8Array {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}
