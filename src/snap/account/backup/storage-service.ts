import { utf8ToBytes } from '@noble/hashes/utils.js';

import { collect, concat } from '../../../clients/storage/bytes';
import { parseCid } from '../../../clients/storage/cid';
import { StorageError } from '../../../clients/storage/errors';
import { multipart } from '../../../clients/storage/multipart';
import { type Query, Transport } from '../../../clients/storage/transport';
import { buildFile, expectCid, VerifiedBlocks } from '../../../clients/storage/verified';
import { within } from '../../../clients/within';
import { NotFoundError, ServiceFailedError } from '../../../core/errors';
import { type StorageSettings } from '../../../core/schemas/storage-settings';
import { type StorageRepository } from './repository';
import { MAX_BACKUP_BYTES } from './seal';

/** The time limit of one operation with all its requests, in milliseconds. */
const TIMEOUT = 30_000;

/** The number of blocks requested concurrently while reading. */
const CONCURRENCY = 4;

/** With CID version 1, a file of one block is a raw block. */
const FORM = { cidVersion: 1 } as const;

/** The service's response about an added file. */
type Added = { readonly Hash?: string; readonly Size?: string };

/**
 * The rest of the sentence "The storage service at <host> …", which says why an operation failed. The service's own
 * message is omitted: the service knows the secret and could repeat it in any form.
 */
function reasonOf({ kind, status = 0 }: StorageError, timeout: number): string {
  if (status === 401 || status === 403) return `did not accept the key and secret (HTTP ${status})`;
  switch (kind) {
    case 'refused':
      return status === 0 ? 'returned something other than a file' : `rejected the request (HTTP ${status})`;
    case 'stream':
      return 'reported an error while responding';
    case 'truncated':
      return 'returned too few or too many bytes';
    case 'integrity':
      return 'returned data that does not match the CID';
    case 'unsupported':
      return 'cannot be used with this CID: its format cannot be verified';
    case 'network':
      return 'could not be reached, or does not allow requests from snaps (its CORS settings must allow the origin "null")';
    case 'aborted':
      return `did not respond within ${timeout / 1000} s`;
  }
}

/** Rejects redirects, which could lead away from https or send the credentials to another host. */
const strictFetch: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error', credentials: 'omit' });

/**
 * The storage service operations that backups need. Each operation has a time limit and fails with our own message. It
 * uses only parts of the storage client, because the whole client is larger than the snap needs.
 */
export class StorageService {
  readonly #transport: Transport;
  readonly #blocks: VerifiedBlocks;
  readonly #title: string;
  readonly #timeout: number;

  constructor(settings: StorageSettings, timeout = TIMEOUT) {
    this.#transport = new Transport({ ...settings, fetch: strictFetch, maxBytes: 2 * MAX_BACKUP_BYTES });
    this.#blocks = new VerifiedBlocks(this.#transport, CONCURRENCY);
    this.#title = `The storage service at ${new URL(settings.url).host}`;
    this.#timeout = timeout;
  }

  /**
   * Checks that files can be added with these credentials. Nothing is stored.
   *
   * @throws {ServiceFailedError} If they cannot.
   */
  async check(): Promise<void> {
    await this.#inTime((signal) => this.#send(utf8ToBytes('Keystead'), { 'only-hash': true, pin: false }, signal));
  }

  /**
   * Adds and pins a file, then reads it back to make sure it is stored.
   *
   * @returns Its CID, computed locally.
   * @throws {ServiceFailedError}
   */
  add(bytes: Uint8Array): Promise<string> {
    return this.#inTime(async (signal) => {
      const cid = await this.#send(bytes, { pin: true }, signal);
      await this.#fetch(cid, Infinity, signal);
      return cid;
    });
  }

  /**
   * Reads a file and verifies each block against its CID. Returns at most one byte more than {@link MAX_BACKUP_BYTES}.
   *
   * @throws {ServiceFailedError}
   */
  read(cid: string): Promise<Uint8Array> {
    return this.#inTime((signal) => this.#fetch(cid, MAX_BACKUP_BYTES + 1, signal));
  }

  /** @returns The CID of the file, which the service must confirm. */
  async #send(bytes: Uint8Array, query: Query, signal: AbortSignal): Promise<string> {
    const form = multipart([{ path: undefined, content: bytes }]);
    const all = { ...query, 'cid-version': FORM.cidVersion, progress: false, 'stream-error': true };
    const response = await this.#transport.post('add', [], all, { signal }, form);
    const { Hash = '', Size } = await this.#transport.only<Added>(response, { signal });
    const { cid, size } = await buildFile(bytes, FORM);
    expectCid('file', Hash, cid);
    if (Size !== String(size)) throw new StorageError('truncated', 'another size');
    return cid.text;
  }

  /** @returns The bytes of a file before `end`, each block verified against its CID. */
  async #fetch(cid: string, end: number, signal: AbortSignal): Promise<Uint8Array> {
    const pieces = await collect(this.#blocks.file(parseCid(cid), 0, end, { signal }));
    return concat(pieces.map(({ bytes }) => bytes));
  }

  async #inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const failAtEnd = (): never => {
      throw new StorageError('aborted', '');
    };
    try {
      return await within(this.#timeout, work, failAtEnd);
    } catch (error) {
      // Any other error comes from a response that the client could not read.
      const known = error instanceof StorageError ? error : new StorageError('integrity', '');
      throw new ServiceFailedError(`${this.#title} ${reasonOf(known, this.#timeout)}.`);
    }
  }
}

/**
 * The configured storage service.
 *
 * @throws {NotFoundError} If no storage service is set up.
 */
export async function storageServiceOf(storage: StorageRepository): Promise<{ service: StorageService; url: string }> {
  const settings = await storage.settings();
  if (settings === undefined) throw new NotFoundError('No storage service is set up. Set one up first.');
  return { service: new StorageService(settings), url: settings.url };
}
