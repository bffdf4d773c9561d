import type { IncomingMessage } from 'node:http';
import { GivenUpError } from '../errors';

/** Pieces of a body that are shorter are joined. */
const SHORT = 1024;
/** Bytes of joined pieces. */
const JOINED = 16 * 1024;
/** Bytes that are read on and dropped once nobody needs them. */
const DROPPED = 64 * 1024 * 1024;
/** Nothing more is read while so many bytes wait for their reader. */
const WAITING = 64 * 1024;

/**
 * The body of a request, in pieces. A client may send it in chunks of one byte, and as a stream of its own each of them
 * takes half a kilobyte of memory until it is read; so short ones are joined as they arrive.
 *
 * @throws GivenUpError if the client disconnects before the end.
 */
export class BodyPieces implements AsyncIterableIterator<Uint8Array> {
  readonly #request: IncomingMessage;
  readonly #ready: Uint8Array[] = [];
  /** Bytes in `#ready` and `#joined`. */
  #waiting = 0;
  #room = Buffer.alloc(0);
  /** How much of `#room` is filled. */
  #joined = 0;
  #state: 'arriving' | 'whole' | 'cut' = 'arriving';
  #wake: (() => void) | undefined;

  constructor(request: IncomingMessage) {
    this.#request = request;
    const end = () => {
      this.#state = request.readableEnded ? 'whole' : 'cut';
      this.#wake?.();
    };
    request.on('data', this.#add).once('end', end).once('error', end).once('close', end);
    if (request.destroyed) end();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      if (this.#state === 'cut') throw new GivenUpError('the client disconnected');
      if (this.#ready.length === 0) this.#closeJoined();
      const value = this.#ready.shift();
      if (value !== undefined) {
        this.#waiting -= value.length;
        if (this.#waiting < WAITING) this.#request.resume();
        return { done: false, value };
      }
      if (this.#state === 'whole') return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Drops what still arrives, so that the connection can be used again. A client that goes on for long is cut off. */
  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    let left = DROPPED;
    const drop = ({ length }: Buffer) => {
      left -= length;
      if (left < 0) this.#request.destroy();
    };
    this.#request.off('data', this.#add).on('data', drop).resume();
    return Promise.resolve({ done: true, value: undefined });
  }

  readonly #add = (piece: Buffer): void => {
    this.#waiting += piece.length;
    if (piece.length >= SHORT) {
      this.#closeJoined();
      this.#ready.push(piece);
    } else {
      if (this.#joined + piece.length > this.#room.length) {
        this.#closeJoined();
        this.#room = Buffer.allocUnsafe(JOINED);
        this.#joined = 0;
      }
      this.#joined += piece.copy(this.#room, this.#joined);
    }
    if (this.#waiting >= WAITING) this.#request.pause();
    this.#wake?.();
  };

  /** Makes what was joined so far ready. The rest of the room is for further pieces. */
  #closeJoined(): void {
    if (this.#joined > 0) this.#ready.push(this.#room.subarray(0, this.#joined));
    this.#room = this.#room.subarray(this.#joined);
    this.#joined = 0;
  }
}
