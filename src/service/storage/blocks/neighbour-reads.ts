import { type FileHandle } from 'node:fs/promises';

/** A range of bytes in a file. */
export type Extent = { readonly offset: number; readonly length: number };

type Wanted = Extent & {
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: unknown) => void;
};

/** Maximum bytes of one read. */
const RUN_BYTES = 1 << 20;
/** Maximum gap between two extents that is read rather than skipped; a record's head is shorter. */
const GAP_BYTES = 256;

const endOf = ({ offset, length }: Extent): number => offset + length;

/**
 * Reads extents of a file. Adjacent extents requested in the same turn are read at once: a read is a round trip to
 * another thread, which costs as much as copying some hundred KiB.
 */
export class NeighbourReads {
  readonly #handle: FileHandle;
  #wanted: Wanted[] = [];

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Resolves to the bytes of the extent, or fewer if the file ends before. They share memory with adjacent extents. */
  read({ offset, length }: Extent): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#wanted.push({ offset, length, resolve, reject });
      if (this.#wanted.length > 1) return;
      process.nextTick(() => {
        this.#readWanted();
      });
    });
  }

  #readWanted(): void {
    const wanted = this.#wanted.sort((a, b) => a.offset - b.offset);
    this.#wanted = [];
    let run: Wanted[] = [];
    for (const next of wanted) {
      const [first = next, last = next] = [run[0], run.at(-1)];
      const gap = next.offset - endOf(last);
      const joins = gap >= 0 && gap <= GAP_BYTES && endOf(next) - first.offset <= RUN_BYTES;
      if (run.length > 0 && !joins) {
        void this.#readRun(run);
        run = [];
      }
      run.push(next);
    }
    void this.#readRun(run);
  }

  /** Reads adjacent extents, in order. */
  async #readRun(run: readonly Wanted[]): Promise<void> {
    const start = run[0]?.offset ?? 0;
    const bytes = Buffer.allocUnsafeSlow(run.reduce((_, extent) => endOf(extent) - start, 0));
    try {
      let done = 0;
      while (done < bytes.length) {
        const { bytesRead } = await this.#handle.read(bytes, done, bytes.length - done, start + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      const read = bytes.subarray(0, done);
      for (const { offset, length, resolve } of run) resolve(read.subarray(offset - start, offset - start + length));
    } catch (error) {
      for (const { reject } of run) reject(error);
    }
  }
}
