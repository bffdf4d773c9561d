import { encodeVarint } from '../varint';

/** A time: seconds since 1970, and nanoseconds after that. */
export type FileTime = { readonly seconds: number; readonly nanoseconds: number };

/** The attributes of UnixFS 1.5. @see https://specs.ipfs.tech/unixfs/ */
export type Attributes = {
  /** POSIX permissions: 12 bits. */
  readonly mode?: number | undefined;
  readonly mtime?: FileTime | undefined;
};

/** Permissions, and set-user-ID, set-group-ID and sticky. */
export const MODE_BITS = 0o7777;
const MOST_NANOSECONDS = 999_999_999;
/** The bytes of a 64-bit varint. */
const MOST_VARINT = 10;

export const hasAttributes = ({ mode, mtime }: Attributes): boolean => mode !== undefined || mtime !== undefined;

/** Protobuf's `int64`: negative numbers take ten bytes. */
function encodeInt64(value: number): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}

/** @returns The number, and where it ends; undefined if there is none. */
function decodeInt64(bytes: Uint8Array, start: number): { value: number; end: number } | undefined {
  let value = 0n;
  for (let at = start; at < Math.min(bytes.length, start + MOST_VARINT); at++) {
    const byte = bytes[at] ?? 0;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - start));
    if (byte < 0x80) return { value: Number(BigInt.asIntN(64, value)), end: at + 1 };
  }
  return undefined;
}

/** The fields `mode` and `mtime`, which end a UnixFS message. */
export function encodeAttributes({ mode, mtime }: Attributes): number[] {
  const time = mtime === undefined ? [] : [0x08, ...encodeInt64(mtime.seconds)];
  const fraction = new Uint8Array(4);
  if (mtime !== undefined && mtime.nanoseconds > 0) {
    new DataView(fraction.buffer).setUint32(0, mtime.nanoseconds, true);
    time.push(0x15, ...fraction);
  }
  return [
    ...(mode === undefined ? [] : [0x38, ...encodeVarint(mode)]),
    ...(mtime === undefined ? [] : [0x42, time.length, ...time]),
  ];
}

/** Reads the message in the field `mtime`; undefined if it is not a time. */
export function decodeTime(bytes: Uint8Array): FileTime | undefined {
  if (bytes[0] !== 0x08) return undefined;
  const seconds = decodeInt64(bytes, 1);
  if (seconds === undefined || !Number.isSafeInteger(seconds.value)) return undefined;
  const rest = bytes.subarray(seconds.end);
  if (rest.length === 0) return { seconds: seconds.value, nanoseconds: 0 };
  if (rest.length !== 5 || rest[0] !== 0x15) return undefined;
  const nanoseconds = new DataView(rest.buffer, rest.byteOffset).getUint32(1, true);
  if (nanoseconds < 1 || nanoseconds > MOST_NANOSECONDS) return undefined;
  return { seconds: seconds.value, nanoseconds };
}

/** The fields of `add` and `files/stat`, without those that are absent. */
export const attributeFields = ({ mode, mtime }: Attributes) => ({
  ...(mode !== undefined && { Mode: `0${mode.toString(8).padStart(3, '0')}` }),
  ...(mtime !== undefined && { Mtime: mtime.seconds }),
  ...(mtime !== undefined && mtime.nanoseconds > 0 && { MtimeNsecs: mtime.nanoseconds }),
});

/** A time as RFC 3339 has it; undefined beyond the years that it can write. */
export function timeText({ seconds, nanoseconds }: FileTime): string | undefined {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 0 || date.getUTCFullYear() > 9999) return undefined;
  const fraction = nanoseconds === 0 ? '' : `.${String(nanoseconds).padStart(9, '0').replace(/0+$/u, '')}`;
  return date.toISOString().replace(/\.\d+Z$/u, `${fraction}Z`);
}

/** A time in seconds since 1970, as PAX records have it. */
export function decimalTime({ seconds, nanoseconds }: FileTime): string {
  const whole = BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
  const digits = String(whole < 0n ? -whole : whole).padStart(10, '0');
  return `${whole < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}
