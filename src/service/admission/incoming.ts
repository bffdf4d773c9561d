import { IncomingMessage } from 'node:http';

/** Pieces of fewer bytes are joined. */
const SMALL = 1 << 10;

/** Bytes of room for what is joined, at first and at most. */
const ROOM = 256;
const JOINED = 16 << 10;

/** A small piece takes time and memory like so many bytes of a large one. */
const LEAST = 64;

/**
 * A request whose body takes little more memory than its bytes, however it is divided. node:http makes a piece of every
 * chunk and keeps half a kilobyte for each until it is read; one read of a connection may bring 10,922 chunks of one
 * byte. Here, the small pieces of a turn of the event loop are one, and a reader that does not read is brought few.
 */
export class Incoming extends IncomingMessage {
  #joined: Buffer | undefined;
  #length = 0;
  /** What the small pieces count for, in bytes, since something was read. */
  #unread = 0;
  /** Whether the connection was not read on for that reason. */
  #waits = false;

  /** Takes the next piece of the body, `null` at its end; false if no more should be read from the connection. */
  override push(piece: Buffer | null): boolean {
    const isLarge = piece === null || piece.length >= SMALL;
    if (isLarge || this.#isWhole(piece)) {
      this.#pass();
      return super.push(piece);
    }
    if (this.#length + piece.length > JOINED) this.#pass();
    // Not in this turn, in which the connection would be read on as soon as this is.
    if (this.#joined === undefined) setImmediate(() => this.#pass());
    this.#join(piece);
    this.#unread += Math.max(LEAST, piece.length);
    return this.#isLight && this.readableLength + this.#length < this.readableHighWaterMark;
  }

  override _read(size: number): void {
    this.#waits = !this.#isLight;
    if (!this.#waits) super._read(size);
  }

  override read(size?: number): unknown {
    // A read of no bytes, as streams make themselves, takes nothing.
    if (size === 0) return super.read(0);
    this.#unread = 0;
    const bytes: unknown = super.read(size);
    if (this.#waits) this._read(0);
    return bytes;
  }

  /** Most bodies come in one piece, which need not wait for another. */
  #isWhole({ length }: Buffer): boolean {
    return this.#joined === undefined && this.headers['content-length'] === String(length);
  }

  get #isLight(): boolean {
    return this.#unread < this.readableHighWaterMark;
  }

  #join(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (this.#joined === undefined || length > this.#joined.length) {
      // The largest is not cut from a pool, which what is kept of it would keep whole.
      const room = length <= SMALL ? Buffer.allocUnsafe(length <= ROOM ? ROOM : SMALL) : Buffer.allocUnsafeSlow(JOINED);
      this.#joined?.copy(room, 0, 0, this.#length);
      this.#joined = room;
    }
    piece.copy(this.#joined, this.#length);
    this.#length = length;
  }

  #pass(): void {
    const room = this.#joined;
    const joined = room?.subarray(0, this.#length);
    this.#joined = undefined;
    this.#length = 0;
    if (room === undefined || joined === undefined || this.destroyed) return;
    super.push(joined.length * 2 < room.length ? Buffer.from(joined) : joined);
    // Events take a piece without a read.
    if (this.readableLength === 0) this.#unread = 0;
  }
}
