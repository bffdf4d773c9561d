import type { IncomingMessage } from 'node:http';

import { invalidRequest } from './errors';
import type { Entry } from '../admission/admission';
import { PIECE_BYTES } from './shares';
import { RequestScan, SHORT_REQUEST, type ScanLimits } from './request-scan';

const NOTHING = Buffer.alloc(0);

/** Bytes of room at first, unless the whole body is shorter. */
const ROOM = 4096;

/** The body of a request: counted against its key's limits and scanned while it arrives. */
export class IncomingBody {
  readonly #request: IncomingMessage;
  readonly #entry: Entry;
  readonly #limit: number;
  readonly #limits: ScanLimits;
  #scan: RequestScan | undefined;
  /** What has arrived, and room for more: however small the pieces are, they take no more memory than this. */
  #bytes: Buffer = NOTHING;
  #length = 0;
  #scanned = 0;
  /** Bytes according to `Content-Length`; 0 for a chunked body. */
  readonly #stated: number;
  /** Pieces counted as requests. */
  #pieces = 1;
  #held = 0;

  /**
   * @param request - A POST.
   * @param entry - Of its key.
   * @param limit - Bytes.
   * @param limits - What the body may hold.
   */
  constructor(request: IncomingMessage, entry: Entry, limit: number, limits: ScanLimits) {
    this.#request = request;
    this.#entry = entry;
    this.#limit = limit;
    this.#limits = limits;
    this.#stated = Number(request.headers['content-length'] ?? 0);
  }

  /** Bytes of each request in it, by position; empty for a short body. */
  get lengths(): readonly number[] {
    return this.#scan?.lengths ?? [];
  }

  /**
   * @returns The whole body, which is valid until {@link release}.
   * @throws {RpcError} As a rejection, as soon as it is known: 413 if it is too large or would take too long to parse;
   * 429 or 503 if its key or all keys together have too much in progress.
   * @throws {Error} As a rejection, if the client is gone, even before this is called.
   */
  read(): Promise<Buffer> {
    const request = this.#request;
    return new Promise((resolve, reject) => {
      const stop = () => {
        request.off('data', add).off('end', finish).off('error', fail).off('close', gone);
      };
      const fail = (error: unknown) => {
        stop();
        // Whatever answers the request decides what happens to the rest.
        request.pause();
        reject(error as Error);
      };
      const gone = () => {
        fail(request.errored ?? new Error('the client closed the connection'));
      };
      const add = (chunk: Buffer) => {
        try {
          this.#check(this.#length + chunk.length);
          this.#append(chunk);
          this.#examine();
        } catch (error) {
          fail(error);
        }
      };
      const finish = () => {
        stop();
        resolve(this.#bytes.subarray(0, this.#length));
      };
      if (request.destroyed) {
        gone();
        return;
      }
      request.on('data', add).once('end', finish).once('error', fail).once('close', gone);
      try {
        this.#check(this.#stated);
      } catch (error) {
        fail(error);
      }
    });
  }

  #check(length: number): void {
    if (length > this.#limit) throw invalidRequest(`the body is larger than ${this.#limit} bytes`, 413);
    this.#count(length);
  }

  /** @throws {RpcError} 429 or 503 if the body needs more memory than its key or all keys together have left. */
  #append(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#bytes.length) {
      const room = Math.min(this.#stated || this.#limit, Math.max(ROOM, 2 * this.#bytes.length, length));
      this.#hold(room);
      const bytes = Buffer.allocUnsafe(room);
      this.#bytes.copy(bytes, 0, 0, this.#length);
      this.#bytes = bytes;
    }
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  /** Counts the body's further pieces against the key's rate. */
  #count(length: number): void {
    const pieces = Math.ceil(length / PIECE_BYTES);
    if (pieces <= this.#pieces) return;
    this.#entry.client.count(pieces - this.#pieces);
    this.#pieces = pieces;
  }

  /** Counts the memory of a large body. */
  #hold(room: number): void {
    if (room <= PIECE_BYTES) return;
    this.#entry.memory.charge(room - this.#held);
    this.#held = room;
  }

  #examine(): void {
    // Short texts are quick to parse, whatever they hold.
    if (this.#length <= SHORT_REQUEST) return;
    this.#scan ??= new RequestScan(this.#limits);
    this.#scan.push(this.#bytes.subarray(this.#scanned, this.#length));
    this.#scanned = this.#length;
  }

  /** Must be called once the request is answered or refused. */
  release(): void {
    this.#bytes = NOTHING;
    this.#entry.memory.give(this.#held);
    this.#held = 0;
  }
}
