import { type Bytes, concat, equal, Reader, varint } from './bytes';
import { malformed, StorageError } from './errors';

export const RAW = 0x55;
export const DAG_PB = 0x70;
const IDENTITY = 0;
const SHA2_256 = 0x12;
const MAX_DIGEST = 128;
/** A content identifier, taken apart. */
export type Cid = {
  readonly text: string;
  readonly version: 0 | 1;
  readonly codec: number;
  readonly hash: number;
  readonly digest: Uint8Array;
};

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

// A CID of version 1 begins with the byte 1: as a number it loses nothing but the first of its digits in base32, an `a`.

/** `bytes`, with `pad` zero bits behind them, as a number in the base of `alphabet`. */
function toDigits(bytes: Uint8Array, alphabet: string, pad = 0): string {
  const base = BigInt(alphabet.length);
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) << BigInt(pad);
  let text = '';
  for (; value > 0n; value /= base) text = (alphabet[Number(value % base)] ?? '') + text;
  return text;
}

function fromDigits(text: string, alphabet: string, pad = 0): Bytes {
  let value = 0n;
  for (const char of text) {
    const digit = alphabet.indexOf(char);
    if (digit < 0) throw malformed();
    value = value * BigInt(alphabet.length) + BigInt(digit);
  }
  const bytes: number[] = [];
  for (value >>= BigInt(pad); value > 0n; value >>= 8n) bytes.unshift(Number(value & 255n));
  return Uint8Array.from(bytes);
}

/** The binary form, as links hold it. */
export const cidBytes = ({ version, codec, hash, digest }: Cid): Bytes =>
  concat([
    Uint8Array.from([...(version ? [1, ...varint(codec)] : []), ...varint(hash), ...varint(digest.length)]),
    digest,
  ]);

function makeCid(version: 0 | 1, codec: number, hash: number, digest: Uint8Array): Cid {
  const cid = { text: '', version, codec, hash, digest };
  const bytes = cidBytes(cid);
  return {
    ...cid,
    text: version ? `ba${toDigits(bytes, BASE32, (bytes.length * 2) % 5)}` : toDigits(bytes, BASE58),
  };
}

/** Reads a binary CID. @throws StorageError when it is none. */
export function readCid(reader: Reader): Cid {
  const first = reader.varint();
  const version = first === 1 ? 1 : 0;
  const codec = version ? reader.varint() : DAG_PB;
  const hash = version ? reader.varint() : first;
  const digest = reader.take(reader.varint());
  // Longer ones are no digests, and writing them as text would take for ever.
  if (digest.length > MAX_DIGEST || (!version && (hash !== SHA2_256 || digest.length !== 32))) throw malformed();
  return makeCid(version, codec, hash, digest);
}

/**
 * Reads a CID in base58 (`Qm…`, `z…`) or base32 (`b…`).
 *
 * @throws StorageError `unsupported` for anything else.
 */
export function parseCid(text: string): Cid {
  // A server may have sent anything in its place. What is cut is longer than any CID that is read, so that none is made of it;
  // but reading all of a long text takes for ever.
  const start = String(text).slice(0, 300);
  try {
    // No CID starts with a zero byte, which base58 would write as a `1`.
    const bytes = start.startsWith('b')
      ? fromDigits(start.slice(1), BASE32, ((start.length - 1) * 5) % 8)
      : fromDigits(start.replace(/^z/, ''), BASE58);
    const reader = new Reader(bytes);
    const cid = readCid(reader);
    if (reader.done) return { ...cid, text };
  } catch {
    // Told below, with the text.
  }
  throw new StorageError('unsupported', `"${start}" is no CID`);
}

export const sameContent = (a: Cid, b: Cid): boolean =>
  equal(cidBytes({ ...a, version: 1 }), cidBytes({ ...b, version: 1 }));

/** The CID of a block, SHA2-256. */
export async function cidOf(version: 0 | 1, codec: number, bytes: Uint8Array): Promise<Cid> {
  return makeCid(codec === DAG_PB ? version : 1, codec, SHA2_256, await sha256(bytes));
}

/** The content of a CID that holds it itself. */
export const inlined = ({ hash, digest }: Cid): Uint8Array | undefined => (hash === IDENTITY ? digest : undefined);

const sha256 = async (bytes: Uint8Array): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Bytes));

/** @throws StorageError when the bytes are not what the CID says, or its hash is not SHA2-256. */
export async function check({ hash, digest, text }: Cid, bytes: Uint8Array): Promise<void> {
  if (hash !== SHA2_256) throw new StorageError('unsupported', `unknown hash: ${text}`);
  if (!equal(await sha256(bytes), digest)) {
    throw new StorageError('integrity', `wrong bytes for ${text}`);
  }
}
