import { type Bytes, concat, equal, Reader, varint } from './bytes';
import { malformed, StorageError } from './errors';

export const RAW = 0x55;
export const DAG_PB = 0x70;
const IDENTITY = 0;
const SHA2_256 = 0x12;
const MAX_DIGEST = 128;
/** A parsed content identifier. */
export type Cid = {
  readonly text: string;
  readonly version: 0 | 1;
  readonly codec: number;
  readonly hash: number;
  readonly digest: Uint8Array;
};

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

// A version 1 CID starts with the byte 1. Converted to a number, it loses only its first base32 digit, an `a`.

/** Writes `bytes`, followed by `pad` zero bits, as a number in the base of `alphabet`. */
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

/** The binary form of a CID, as in links. */
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

/** Reads a binary CID. @throws {StorageError} `integrity` if the bytes are not a CID. */
export function readCid(reader: Reader): Cid {
  const first = reader.varint();
  const version = first === 1 ? 1 : 0;
  const codec = version ? reader.varint() : DAG_PB;
  const hash = version ? reader.varint() : first;
  const digest = reader.take(reader.varint());
  // Reject longer digests: they are not real, and converting them to text would take too long.
  if (digest.length > MAX_DIGEST || (!version && (hash !== SHA2_256 || digest.length !== 32))) throw malformed();
  return makeCid(version, codec, hash, digest);
}

/**
 * Reads a CID in base58 (`Qm…`, `z…`) or base32 (`b…`).
 *
 * @throws {StorageError} `unsupported` for any other text.
 */
export function parseCid(text: string): Cid {
  // The text may come from a server. Decoding a long text would take too long, so it is cut, to a length that exceeds
  // every supported CID.
  const start = String(text).slice(0, 300);
  try {
    // No CID starts with a zero byte, which base58 writes as a `1`.
    const bytes = start.startsWith('b')
      ? fromDigits(start.slice(1), BASE32, ((start.length - 1) * 5) % 8)
      : fromDigits(start.replace(/^z/, ''), BASE58);
    const reader = new Reader(bytes);
    const cid = readCid(reader);
    if (reader.done) return { ...cid, text };
  } catch {
    // Reported below, with the text.
  }
  throw new StorageError('unsupported', `unsupported CID "${start}"`);
}

export const sameContent = (a: Cid, b: Cid): boolean =>
  equal(cidBytes({ ...a, version: 1 }), cidBytes({ ...b, version: 1 }));

/** The CID of a block, with SHA2-256. */
export async function cidOf(version: 0 | 1, codec: number, bytes: Uint8Array): Promise<Cid> {
  return makeCid(codec === DAG_PB ? version : 1, codec, SHA2_256, await sha256(bytes));
}

/** The content of an identity CID, which contains it; undefined for other CIDs. */
export const inlined = ({ hash, digest }: Cid): Uint8Array | undefined => (hash === IDENTITY ? digest : undefined);

const sha256 = async (bytes: Uint8Array): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Bytes));

/** @throws {StorageError} `integrity` if the bytes do not match the CID, `unsupported` if its hash is not SHA2-256. */
export async function check({ hash, digest, text }: Cid, bytes: Uint8Array): Promise<void> {
  if (hash !== SHA2_256) throw new StorageError('unsupported', `unsupported hash: ${text}`);
  if (!equal(await sha256(bytes), digest)) {
    throw new StorageError('integrity', `wrong bytes for ${text}`);
  }
}
