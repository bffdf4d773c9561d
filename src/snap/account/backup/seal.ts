import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

import { equal } from '../../../clients/storage/bytes';
import { counted } from '../../../core/eth/units';
import { BackupUnreadableError } from '../../../core/errors';

/** The byte format of a backup file is described in docs/backup.md. */
export const FORMAT_VERSION = 1;

/** Sizes are powers of two, so that they reveal little about the content. */
const MIN_BACKUP_BYTES = 4096;
export const MAX_BACKUP_BYTES = 4 * 1024 * 1024;

const MAGIC = utf8ToBytes('KEYSTEAD');
const SALT_BYTES = 32;
const COMMITMENT_BYTES = 32;
const KEY_BYTES = 32;
const TAG_BYTES = 16;
const SALT_AT = MAGIC.length + 1 + 4;
const COMMITMENT_AT = SALT_AT + SALT_BYTES;
const HEADER_BYTES = COMMITMENT_AT + COMMITMENT_BYTES;

/** The HKDF info: the purpose of the derived bytes. */
const INFO = utf8ToBytes(`keystead/backup/${FORMAT_VERSION}`);

const SALT_PURPOSE = utf8ToBytes(`keystead/backup/${FORMAT_VERSION}/salt`);

type Bytes = Uint8Array<ArrayBuffer>;
type FileKey = {
  readonly key: Awaited<ReturnType<typeof crypto.subtle.importKey>>;
  /** Proves that it is the right key. */
  readonly commitment: Uint8Array;
};

/** Each key encrypts only one file, so the nonce can be constant. */
const NONCE: Bytes = new Uint8Array(12);

/** Decodes the text of a backup, and rejects invalid UTF-8. */
const decoder = new TextDecoder('utf-8', { fatal: true });

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

const readUint32 = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at);

/**
 * A unique salt: HMAC-SHA-256 over random bytes and the content. If the random bytes ever repeat, the same salt, and
 * therefore the same key, results only for the same content.
 */
async function newSalt(content: Uint8Array, secret: Uint8Array): Promise<Uint8Array> {
  const random = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secret as Bytes, algorithm, false, ['sign']);
  const message = concatBytes(SALT_PURPOSE, random, content) as Bytes;
  try {
    return new Uint8Array(await crypto.subtle.sign('HMAC', key, message));
  } finally {
    message.fill(0);
  }
}

/** HKDF-SHA-256 (RFC 5869) of the wallet's secret and the file's salt. */
async function deriveKey(secret: Uint8Array, salt: Uint8Array): Promise<FileKey> {
  const material = await crypto.subtle.importKey('raw', secret as Bytes, 'HKDF', false, ['deriveBits']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: salt as Bytes, info: INFO as Bytes };
  const bits = new Uint8Array(await crypto.subtle.deriveBits(derivation, material, 8 * (KEY_BYTES + COMMITMENT_BYTES)));
  try {
    const key = await crypto.subtle.importKey('raw', bits.subarray(0, KEY_BYTES), 'AES-GCM', false, [
      'encrypt',
      'decrypt',
    ]);
    return { key, commitment: bits.slice(KEY_BYTES) };
  } finally {
    bits.fill(0);
  }
}

/** AES-256-GCM; the header is authenticated with the content. */
const cipher = (header: Uint8Array) => ({
  name: 'AES-GCM',
  iv: NONCE,
  additionalData: header as Bytes,
  tagLength: 8 * TAG_BYTES,
});

/** The smallest allowed file size, a power of two, for this many bytes. */
function fileBytesFor(length: number): number {
  let size = MIN_BACKUP_BYTES;
  while (size < length) size *= 2;
  return size;
}

async function sealBytes(text: Uint8Array, secret: Uint8Array): Promise<Uint8Array | undefined> {
  const fileBytes = fileBytesFor(HEADER_BYTES + 4 + text.length + TAG_BYTES);
  if (fileBytes > MAX_BACKUP_BYTES) return undefined;
  const salt = await newSalt(text, secret);
  const { key, commitment } = await deriveKey(secret, salt);
  const header = concatBytes(MAGIC, Uint8Array.of(FORMAT_VERSION), uint32(fileBytes), salt, commitment);
  const plain: Bytes = new Uint8Array(fileBytes - HEADER_BYTES - TAG_BYTES);
  plain.set(uint32(text.length));
  plain.set(text, 4);
  try {
    return concatBytes(header, new Uint8Array(await crypto.subtle.encrypt(cipher(header), key, plain)));
  } finally {
    plain.fill(0);
  }
}

/**
 * Encrypts the content of a backup, and wipes its buffers.
 *
 * @param secret - 32 bytes that only this snap gets from this recovery phrase.
 * @returns The file; undefined if it would be larger than {@link MAX_BACKUP_BYTES}.
 */
export async function seal(content: string, secret: Uint8Array): Promise<Uint8Array | undefined> {
  const text = utf8ToBytes(content);
  try {
    return await sealBytes(text, secret);
  } finally {
    text.fill(0);
  }
}

/** Checks everything that can be checked without a key. */
function assertWhole(file: Uint8Array): void {
  if (!equal(file.subarray(0, MAGIC.length), MAGIC.subarray(0, file.length)) || file.length === 0)
    throw new BackupUnreadableError('not-a-backup', 'The file is not a Keystead backup. Nothing was changed.');
  const version = file[MAGIC.length];
  if (version !== undefined && version !== FORMAT_VERSION)
    throw new BackupUnreadableError(
      'version',
      `The backup has format version ${version}, but this version of Keystead reads version ${FORMAT_VERSION}. Nothing was changed.`,
    );
  if (file.length < HEADER_BYTES)
    throw new BackupUnreadableError(
      'truncated',
      `The backup is truncated: it has only ${counted(file.length, 'byte')}. Nothing was changed.`,
    );
  const expected = readUint32(file, MAGIC.length + 1);
  if (expected !== file.length)
    throw new BackupUnreadableError(
      'truncated',
      `The backup is truncated or has extra bytes: it should have ${counted(expected, 'byte')} but has ${file.length}. Nothing was changed.`,
    );
}

const modified = (): BackupUnreadableError =>
  new BackupUnreadableError('changed', 'The backup was modified after it was created. Nothing was changed here.');

/** @throws {BackupUnreadableError} If the padding or the length is not as {@link seal} makes it. */
function unpadded(plain: Uint8Array): string {
  const end = 4 + readUint32(plain, 0);
  if (end > plain.length || plain.subarray(end).some((byte) => byte !== 0)) throw modified();
  try {
    return decoder.decode(plain.subarray(4, end));
  } catch {
    throw modified();
  }
}

/**
 * Decrypts a backup.
 *
 * @param secret - The secret passed to {@link seal}.
 * @throws {BackupUnreadableError} If the file is not a backup, has an unknown version, is truncated, was made with
 * another recovery phrase, or was modified.
 */
export async function unseal(file: Uint8Array, secret: Uint8Array): Promise<string> {
  assertWhole(file);
  const header = file.subarray(0, HEADER_BYTES);
  const { key, commitment } = await deriveKey(secret, header.subarray(SALT_AT, COMMITMENT_AT));
  if (!equal(commitment, header.subarray(COMMITMENT_AT)))
    throw new BackupUnreadableError(
      'phrase',
      'The backup was made with another recovery phrase, or its header was modified. Nothing was changed here.',
    );
  let plain: Uint8Array;
  try {
    plain = new Uint8Array(await crypto.subtle.decrypt(cipher(header), key, file.subarray(HEADER_BYTES) as Bytes));
  } catch {
    throw modified();
  }
  try {
    return unpadded(plain);
  } finally {
    plain.fill(0);
  }
}
