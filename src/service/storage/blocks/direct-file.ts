import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** What offsets, lengths and memory are multiples of: no disk of today has larger sectors. */
export const PAGE = 4096;
/** WebAssembly's own page, in which its memory is counted. */
const WASM_PAGE = 64 << 10;
/** Most bytes of one write: a batch as it mostly is, and the page that an earlier one ended in. */
const MEMORY_BYTES = (2 << 20) + WASM_PAGE;
/** Errors of file systems and disks that cannot do this: EINVAL, but some say it in other words. */
const UNABLE = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP']);

/** The disk took a part of a page, for a reason that only a write of the rest would tell: a limit of the file's size, say. */
class PartOfPageError extends Error {
  override readonly name = 'PartOfPageError';
}

/** What Node's types leave out. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
};

/** Memory of a file that was closed, for the next one: each takes gigabytes of addresses, and is given back only some day. */
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
 * Writes runs of bytes of a file from memory to the disk, past the page cache (`O_DIRECT`). The file ends with a page then:
 * behind the last byte there are less than {@link PAGE} zeros.
 *
 * @see https://man7.org/linux/man-pages/man2/open.2.html, O_DIRECT
 */
export class DirectFile {
  readonly #handle: FileHandle;
  /** That of a WebAssembly memory, since nothing else in JavaScript begins with a page of the machine. */
  readonly #memory: Buffer;
  /** Where the latest write ended, if the beginning of its last page is still at the memory's beginning. */
  #end: number | undefined;

  private constructor(handle: FileHandle, memory: Buffer) {
    this.#handle = handle;
    this.#memory = memory;
  }

  /**
   * Opens a file that is there.
   *
   * @param path - Its name, unless another file has got that.
   * @param file - The file itself.
   * @returns Undefined where the system, its disk or its limits do not allow it: it is written otherwise then.
   */
  static async open(path: string, file: FileHandle): Promise<DirectFile | undefined> {
    if (constants.O_DIRECT === undefined) return undefined;
    const handle = await open(path, constants.O_RDWR | constants.O_DIRECT).catch(() => undefined);
    if (handle === undefined) return undefined;
    try {
      if (await areSame(file, handle)) return new DirectFile(handle, takeMemory());
    } catch {
      // As where it is another one.
    }
    await handle.close();
    return undefined;
  }

  /** Whether a write failed because it is not possible this way. */
  static isUnable(error: unknown): boolean {
    return error instanceof PartOfPageError || UNABLE.has((error as NodeJS.ErrnoException).code ?? '');
  }

  /**
   * Writes the pieces as one run of bytes that begins at `position`; what is before it in the file stays.
   *
   * @throws {Error} What the disk says; what is behind `position` is undefined then.
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
        // Not `set`: where the piece is memory that threads share, V8 makes that word by word.
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

  /** Closes the file, to which nothing is being written any more. */
  async close(): Promise<void> {
    await this.#handle.close();
    if (spare.length === 0) spare.push(this.#memory);
  }

  /** Reads the beginning of a page: whole, since nothing less can be read this way. */
  async #read(at: number, length: number): Promise<void> {
    const { bytesRead } = await this.#handle.read(this.#memory, 0, PAGE, at);
    if (bytesRead < length) throw new Error('the file is shorter than what was written to it');
  }

  async #put(length: number, at: number): Promise<void> {
    for (let done = 0; done < length; ) {
      const { bytesWritten } = await this.#handle.write(this.#memory, done, length - done, at + done);
      if (bytesWritten === 0 || bytesWritten % PAGE !== 0) throw new PartOfPageError('the disk took a part of a page');
      done += bytesWritten;
    }
  }
}
