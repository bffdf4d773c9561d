import type { IncomingMessage } from 'node:http';

import { invalidRequest } from './errors';
import { type KeyUse, PIECE_BYTES } from './key-limits';
import { RequestScan, SHORT_REQUEST, type ScanLimits } from './request-scan';

/** The body of a request: counted against its key's limits and scanned while it arrives. */
export class IncomingBody {
  readonly #request: IncomingMessage;
  readonly #use: KeyUse;
  readonly #limit: number;
  readonly #limits: ScanLimits;
  #scan: RequestScan | undefined;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #scanned = 0;
  /** Pieces counted as requests. */
  #pieces = 1;
  #held = 0;

  /**
   * @param request - A POST.
   * @param use - Its key.
   * @param limit - Bytes.
   * @param limits - What the body may hold.
   */
  constructor(request: IncomingMessage, use: KeyUse, limit: number, limits: ScanLimits) {
    this.#request = request;
    this.#use = use;
    this.#limit = limit;
    this.#limits = limits;
  }

  /** Bytes of each request in it, by position; empty for a short body. */
  get lengths(): readonly number[] {
    return this.#scan?.lengths ?? [];
  }

  /**
   * @returns The whole body.
   * @throws {RpcError} As a rejection, as soon as it is known: 413 if it is too large or would take too long to parse;
   * 429 or 503 if its key or all keys together have too much in progress.
   */
  read(): Promise<Buffer> {
    const request = this.#request;
    return new Promise((resolve, reject) => {
      const check = (length: number) => {
        try {
          if (length > this.#limit) throw invalidRequest(`the body is larger than ${this.#limit} bytes`, 413);
          this.#count(length);
          this.#examine();
        } catch (error) {
          // Whatever answers the request decides what happens to the rest.
          request.removeAllListeners('data').pause();
          reject(error as Error);
        }
      };
      request
        .on('data', (chunk: Buffer) => {
          this.#length += chunk.length;
          this.#chunks.push(chunk);
          check(this.#length);
        })
        .once('end', () => {
          const [only] = this.#chunks;
          resolve(this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks));
        })
        .once('error', reject);
      check(Number(request.headers['content-length'] ?? 0));
    });
  }

  /** Counts the body's further pieces against the key's rate, and the memory of a large one. */
  #count(length: number): void {
    const pieces = Math.ceil(length / PIECE_BYTES);
    if (pieces > this.#pieces) {
      this.#use.take(pieces - this.#pieces);
      this.#pieces = pieces;
    }
    const held = this.#length > PIECE_BYTES ? this.#length : 0;
    if (held > this.#held) {
      this.#use.hold(held - this.#held);
      this.#held = held;
    }
  }

  #examine(): void {
    // Short texts are quick to parse, whatever they hold.
    if (this.#length <= SHORT_REQUEST) return;
    this.#scan ??= new RequestScan(this.#limits);
    for (const chunk of this.#chunks.slice(this.#scanned)) this.#scan.push(chunk);
    this.#scanned = this.#chunks.length;
  }

  /** Must be called once the request is answered. */
  release(): void {
    this.#use.release(this.#held);
    this.#held = 0;
  }
}
