/** Unsigned LEB128 (multiformats "unsigned-varint"), limited to the integers that a JavaScript number holds exactly. */
export function encodeVarint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

/**
 * Reads a varint at `offset`.
 *
 * @returns the value and the offset after it, or `undefined` if the bytes end first.
 * @throws RangeError if it is longer than 8 bytes or above 2^53 - 1.
 */
export function decodeVarint(bytes: Uint8Array, offset: number): { value: number; end: number } | undefined {
  let value = 0;
  let factor = 1;
  for (let at = offset; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * factor;
    if (value > Number.MAX_SAFE_INTEGER) throw new RangeError('varint is too large');
    if (byte < 0x80) return { value, end: at + 1 };
    if (at - offset >= 7) throw new RangeError('varint is too long');
    factor *= 0x80;
  }
  return undefined;
}
