import { IncomingMessage } from 'node:http';

/** Pieces of fewer bytes are joined. */
const SMALL = 1 << 10;

/** Bytes that are joined to one piece, at first and at most. */
const ROOM = 256;
const JOINED = 16 << 10;

/** A joined piece takes time like so many bytes of a large one. */
const LEAST = 64;

/**
 * A request whose body takes little more memory than its bytes, however it is divided: node:http makes a piece of every
 * chunk, and keeps half a kilobyte for each until it is read. One read of a connection may bring 10,922 chunks of one
 * byte. Here, small pieces that nobody has read are one.
 */
export class Incoming extends IncomingMessage {
  #joined: Buffer | undefined;
  #length = 0;
  /** What the joined pieces count for when the connection is to be read on, in bytes. */
  #weight = 0;
  #offers = false;

  /** Takes the next piece of the body, `null` at its end; false if no more should be read from the connection. */
  override push(piece: Buffer | null): boolean {
    if (piece === null || piece.length >= SMALL) {
      this.#pass();
      return super.push(piece);
    }
    if (this.#length + piece.length > JOINED) this.#pass();
    this.#join(piece);
    this.#offer();
    return this.readableLength + this.#weight < this.readableHighWaterMark;
  }

  override read(size?: number): unknown {
    const bytes: unknown = super.read(size);
    // A reader may want more bytes at once than there are; a read of none wants nothing.
    this.#offer(bytes === null && size !== 0);
    return bytes;
  }

  #join(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (this.#joined === undefined || length > this.#joined.length) {
      const room = Buffer.allocUnsafe(length <= ROOM ? ROOM : length <= SMALL ? SMALL : JOINED);
      this.#joined?.copy(room, 0, 0, this.#length);
      this.#joined = room;
    }
    piece.copy(this.#joined, this.#length);
    this.#length = length;
    this.#weight += Math.max(LEAST, piece.length);
  }

  /** Passes on what is joined once everything before it is read, or more is wanted. */
  #offer(isWanted = false): void {
    if (this.#offers || this.#length === 0 || (this.readableLength > 0 && !isWanted)) return;
    this.#offers = true;
    // Not in this turn of the event loop, in which the connection would be read on as soon as this is.
    setImmediate(() => {
      this.#offers = false;
      this.#pass();
    });
  }

  #pass(): void {
    const joined = this.#joined?.subarray(0, this.#length);
    this.#joined = undefined;
    this.#length = 0;
    this.#weight = 0;
    if (joined !== undefined && !this.destroyed) super.push(joined);
  }
}
