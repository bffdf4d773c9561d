import { utf8ToBytes } from '@noble/hashes/utils.js';

import { collect, concat } from '../../clients/storage/bytes';
import { parseCid } from '../../clients/storage/cid';
import { StorageError } from '../../clients/storage/errors';
import { multipart } from '../../clients/storage/multipart';
import { type Query, Transport } from '../../clients/storage/transport';
import { buildFile, expectCid, VerifiedBlocks } from '../../clients/storage/verified';
import { NotFoundError, ServiceFailedError } from '../../core/errors';
import { type StorageSettings } from '../../core/schemas/storage-settings';
import { type StorageRepository } from './repository';
import { MAX_BACKUP_BYTES } from './seal';

/** Milliseconds for everything one operation sends and receives. */
const TIMEOUT = 30_000;

/** Blocks asked for at the same time while reading. */
const CONCURRENCY = 4;

/** A file of one block is one raw block. */
const FORM = { cidVersion: 1 } as const;

/** What the service says of a file that it added. */
type Added = { readonly Hash?: string; readonly Size?: string };

/**
 * Why an operation failed, as the rest of "The storage service at <host> …". The service's own words are left
 * out: it was sent the secret, and could repeat it in any spelling.
 */
function reasonOf({ kind, status = 0 }: StorageError, timeout: number): string {
  if (status === 401 || status === 403) return `did not accept the key and secret (HTTP ${status})`;
  switch (kind) {
    case 'refused':
      return status === 0 ? 'has something else than a file there' : `refused (HTTP ${status})`;
    case 'stream':
      return 'reported an error while it answered';
    case 'truncated':
      return 'answered with less or more than it should';
    case 'integrity':
      return 'answered with something else than what belongs to the CID';
    case 'unsupported':
      return 'was not asked: this CID has a form that cannot be checked';
    case 'network':
      return 'could not be reached, or lets no snap in (its CORS settings must allow the origin "null")';
    case 'aborted':
      return `did not answer within ${timeout / 1000} s`;
  }
}

/** A redirect could lead away from https, or hand the credentials to a host that nobody agreed to. */
const strictFetch: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error', credentials: 'omit' });

/**
 * The storage service, as far as backups need it: each operation is over in time, and fails in words of ours. Made of the
 * parts of the storage client, which as a whole does more than a snap has a use for.
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
   * Whether files can be added with these credentials. Nothing is stored.
   *
   * @throws {ServiceFailedError} If not.
   */
  async check(): Promise<void> {
    await this.#inTime((signal) => this.#send(utf8ToBytes('Keystead'), { 'only-hash': true, pin: false }, signal));
  }

  /**
   * Adds and pins a file, and reads it back: what is told to be there is there.
   *
   * @returns Its CID, computed here.
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
   * The bytes of a file, each block checked against its CID; one byte more than {@link MAX_BACKUP_BYTES} at most.
   *
   * @throws {ServiceFailedError}
   */
  read(cid: string): Promise<Uint8Array> {
    return this.#inTime((signal) => this.#fetch(cid, MAX_BACKUP_BYTES + 1, signal));
  }

  /** @returns The CID of a file that was sent: the service must have come to the same. */
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

  /** @returns The bytes of a file before `end`, each block checked against its CID. */
  async #fetch(cid: string, end: number, signal: AbortSignal): Promise<Uint8Array> {
    const pieces = await collect(this.#blocks.file(parseCid(cid), 0, end, { signal }));
    return concat(pieces.map(({ bytes }) => bytes));
  }

  async #inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      controller.abort();
    }, this.#timeout);
    try {
      return await work(controller.signal);
    } catch (error) {
      // Anything else is what the client made of an answer that it could not read.
      const known = error instanceof StorageError ? error : new StorageError('integrity', '');
      throw new ServiceFailedError(`${this.#title} ${reasonOf(known, this.#timeout)}.`);
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * The storage service that is set up.
 *
 * @throws {NotFoundError} If none is.
 */
export async function storageServiceOf(storage: StorageRepository): Promise<{ service: StorageService; url: string }> {
  const settings = await storage.settings();
  if (settings === undefined)
    throw new NotFoundError('storage: no storage service is set up; set one up with keystead_setStorage first');
  return { service: new StorageService(settings), url: settings.url };
}
