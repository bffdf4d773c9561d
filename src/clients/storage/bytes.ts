import { malformed } from './errors';

export type Bytes = Uint8Array<ArrayBuffer>;

/** Keeps a byte order mark as a character. */
const decoder = new TextDecoder(undefined, { ignoreBOM: true });

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
export const fromUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes);

/** The sum of `of(item)` over all items. */
export function sumOf<T>(items: Iterable<T>, of: (item: T) => number): number {
  let sum = 0;
  for (const item of items) sum += of(item);
  return sum;
}

export function concat(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(sumOf(parts, ({ length }) => length));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Collects everything an async iterable yields. */
export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

export const equal = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

export function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}

/** Reads binary data from front to back. Reading past the end throws. */
export class Reader {
  at = 0;

  constructor(readonly bytes: Uint8Array) {}

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  take(length: number): Uint8Array {
    const taken = this.bytes.subarray(this.at, (this.at += length));
    if (taken.length < length) throw malformed();
    return taken;
  }

  byte(): number {
    return this.take(1)[0] ?? 0;
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (value > Number.MAX_SAFE_INTEGER) throw malformed();
      if (byte < 128) return value;
    }
  }
}
