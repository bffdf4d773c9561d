import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Alignment of offsets, lengths and memory; no current disk has larger sectors. */
export const PAGE = 4096;
/** WebAssembly's page size, in which its memory is measured. */
const WASM_PAGE = 64 << 10;
/** Maximum bytes of one write: a typical batch, plus the page in which the previous one ended. */
const MEMORY_BYTES = (2 << 20) + WASM_PAGE;
/** Errors of file systems and disks that do not support direct I/O: EINVAL, or others on some. */
const UNABLE = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP']);

/** The disk wrote part of a page; only a write of the rest would reveal the reason, such as a file size limit. */
class PartOfPageError extends Error {
  override readonly name = 'PartOfPageError';
}

/** Missing from Node's types. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
};

/** Memory of closed files for reuse: each reserves gigabytes of address space, and is freed only some time later. */
const spare: Buffer[] = [];

function takeMemory(): Buffer {
  const pages = MEMORY_BYTES / WASM_PAGE;
  return spare.pop() ?? Buffer.from(new WebAssembly.Memory({ initial: pages, maximum: pages }).buffer);
}

async function areSame(one: FileHandle, other: FileHandle): Promise<boolean> {
  const [a, b] = await Promise.all([one.stat({ bigint: true }), other.stat({ bigint: true })]);
  return a.dev === b.dev && a.ino === b.ino;
}

const floor = (offset: number) => offset - (offset % PAGE);

/**
 * Writes runs of bytes of a file directly from memory to disk, bypassing the page cache (`O_DIRECT`). The file is then
 * a multiple of the page size: fewer than {@link PAGE} zeros follow the last byte.
 *
 * @see https://man7.org/linux/man-pages/man2/open.2.html, O_DIRECT
 */
export class DirectFile {
  readonly #handle: FileHandle;
  /** A WebAssembly memory, because nothing else in JavaScript is page-aligned. */
  readonly #memory: Buffer;
  /** Where the latest write ended, if the start of its last page is still at the start of the memory. */
  #end: number | undefined;

  private constructor(handle: FileHandle, memory: Buffer) {
    this.#handle = handle;
    this.#memory = memory;
  }

  /**
   * Opens an existing file.
   *
   * @param path - Its name, which may have been reused by another file.
   * @param file - The file itself.
   * @returns Undefined if the system, the disk or their limits do not allow it; the caller then writes normally.
   */
  static async open(path: string, file: FileHandle): Promise<DirectFile | undefined> {
    if (constants.O_DIRECT === undefined) return undefined;
    const handle = await open(path, constants.O_RDWR | constants.O_DIRECT).catch(() => undefined);
    if (handle === undefined) return undefined;
    try {
      if (await areSame(file, handle)) return new DirectFile(handle, takeMemory());
    } catch {
      // Treated as if the name had been reused.
    }
    await handle.close();
    return undefined;
  }

  /** Whether a write failed because direct I/O is not supported. */
  static isUnable(error: unknown): boolean {
    return error instanceof PartOfPageError || UNABLE.has((error as NodeJS.ErrnoException).code ?? '');
  }

  /**
   * Writes the pieces as one run of bytes at `position`; earlier bytes in the file stay.
   *
   * @throws {Error} The disk's error; everything from `position` on is then undefined.
   */
  async write(pieces: readonly Uint8Array[], position: number): Promise<void> {
    const memory = this.#memory;
    let at = floor(position);
    let filled = position - at;
    if (filled > 0 && this.#end !== position) await this.#read(at, filled);
    this.#end = undefined;
    for (const piece of pieces) {
      for (let from = 0; from < piece.length; ) {
        const taken = Math.min(piece.length - from, memory.length - filled);
        // Not `set`: V8 copies word by word from shared memory.
        memory.fill(piece.subarray(from, from + taken), filled, filled + taken);
        from += taken;
        filled += taken;
        if (filled < memory.length) continue;
        await this.#put(filled, at);
        at += filled;
        filled = 0;
      }
    }
    const lastPage = floor(filled);
    if (filled > lastPage) memory.fill(0, filled, lastPage + PAGE);
    await this.#put(filled > lastPage ? lastPage + PAGE : filled, at);
    memory.copyWithin(0, lastPage, filled);
    this.#end = at + filled;
  }

  /** Closes the file; no write may be in progress. */
  async close(): Promise<void> {
    await this.#handle.close();
    if (spare.length === 0) spare.push(this.#memory);
  }

  /** Reads the beginning of a page: the whole page, since direct I/O can read no less. */
  async #read(at: number, length: number): Promise<void> {
    const { bytesRead } = await this.#handle.read(this.#memory, 0, PAGE, at);
    if (bytesRead < length) throw new Error('the file is shorter than what was written to it');
  }

  async #put(length: number, at: number): Promise<void> {
    for (let done = 0; done < length; ) {
      const { bytesWritten } = await this.#handle.write(this.#memory, done, length - done, at + done);
      if (bytesWritten === 0 || bytesWritten % PAGE !== 0)
        throw new PartOfPageError('the disk wrote only part of a page');
      done += bytesWritten;
    }
  }
}
