import { readSync } from 'node:fs';

import { FormatError } from './errors';

/**
 * Random reads of a file through one buffer: adjacent small reads cost one system call, and skipped parts are not read
 * at all.
 */
export class FileWindow {
  readonly #fd: number;
  readonly #size: number;
  #buffer: Buffer;
  #from = 0;
  #to = 0;

  /**
   * @param fd - Descriptor of the file.
   * @param size - Size of the file, in bytes.
   * @param span - Bytes per read.
   */
  constructor(fd: number, size: number, span: number) {
    this.#fd = fd;
    this.#size = size;
    this.#buffer = Buffer.allocUnsafeSlow(span);
  }

  /**
   * @param at - Position in the file.
   * @param length - In bytes.
   * @returns The bytes; valid only until the next read.
   * @throws {FormatError} If the file ends before.
   */
  read(at: number, length: number): Buffer {
    const from = this.find(at, length);
    return this.#buffer.subarray(from, from + length);
  }

  /**
   * Reads without allocating a view.
   *
   * @param at - Position in the file.
   * @param length - In bytes.
   * @returns Position of the bytes in `buffer`; valid only until the next read.
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
