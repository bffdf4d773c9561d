import { type FileHandle } from 'node:fs/promises';

/** Where some bytes of a file lie. */
export type Extent = { readonly offset: number; readonly length: number };

type Wanted = Extent & {
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: unknown) => void;
};

/** Most bytes of one read. */
const RUN_BYTES = 1 << 20;
/** Bytes between two extents that are read along rather than read around: a record's head is shorter. */
const GAP_BYTES = 256;

const endOf = ({ offset, length }: Extent): number => offset + length;

/**
 * Reads extents of a file. Those that are asked for in the same turn and lie side by side are read in one go: a read is a
 * trip to another thread, which costs as much as copying some hundred KiB.
 */
export class NeighbourReads {
  readonly #handle: FileHandle;
  #wanted: Wanted[] = [];

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Resolves to the bytes of the extent; to fewer when the file ends before. They share memory with their neighbours'. */
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

  /** Reads extents that lie side by side, in order. */
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
