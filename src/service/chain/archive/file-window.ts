import { readSync } from 'node:fs';

import { FormatError } from './errors';

/**
 * Reads a file here and there through one buffer: neighbouring small reads cost one system call, and parts nobody asks
 * for are not read at all.
 */
export class FileWindow {
  readonly #fd: number;
  readonly #size: number;
  #buffer: Buffer;
  #from = 0;
  #to = 0;

  /**
   * @param fd - Of the file.
   * @param size - Of the file, in bytes.
   * @param span - Bytes to read at a time.
   */
  constructor(fd: number, size: number, span: number) {
    this.#fd = fd;
    this.#size = size;
    this.#buffer = Buffer.allocUnsafeSlow(span);
  }

  /**
   * @param at - Position in the file.
   * @param length - In bytes.
   * @returns The bytes; only good until the next read.
   * @throws {FormatError} If the file ends before.
   */
  read(at: number, length: number): Buffer {
    const from = this.find(at, length);
    return this.#buffer.subarray(from, from + length);
  }

  /**
   * Reads without making a view of its own for a few bytes.
   *
   * @param at - Position in the file.
   * @param length - In bytes.
   * @returns Where in `buffer` the bytes are; only good until the next read.
   * @throws {FormatError} If the file ends before.
   */
  find(at: number, length: number): number {
    if (at < 0 || at + length > this.#size) throw new FormatError('the file is truncated');
    if (at < this.#from || at + length > this.#to) this.#fill(at, length);
    return at - this.#from;
  }

  get buffer(): Buffer {
    return this.#buffer;
  }

  #fill(at: number, length: number): void {
    if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(length);
    this.#from = at;
    this.#to = at;
    const wanted = Math.min(this.#buffer.length, this.#size - at);
    while (this.#to - at < wanted) {
      const got = readSync(this.#fd, this.#buffer, this.#to - at, wanted - (this.#to - at), this.#to);
      if (got === 0) break;
      this.#to += got;
    }
    if (this.#to - at < length) throw new FormatError('the file is truncated');
  }
}
