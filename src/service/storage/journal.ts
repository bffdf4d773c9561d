import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { errorCode } from '../runtime/error-code';
import { AppendFile } from './blocks/append-file';
import { isDiskFull } from './blocks/disk-full';
import { replaceFile, syncDirectory } from './blocks/segment';

const encodeLine = (value: unknown): Buffer => {
  const text = Buffer.from(JSON.stringify(value));
  return Buffer.concat([Buffer.from(`${crc32(text).toString(16).padStart(8, '0')} `), text, Buffer.from('\n')]);
};

const decodeLine = (line: Buffer): unknown => {
  const text = line.subarray(9);
  if (line[8] !== 0x20 || crc32(text).toString(16).padStart(8, '0') !== line.toString('latin1', 0, 8)) return undefined;
  return JSON.parse(text.toString('utf8'));
};

/** Longer than any line. */
const MAX_LINE = 1 << 20;
/** Bytes per read, since a journal may be larger than any buffer. */
const PIECE = 1 << 20;

/**
 * Passes the value of every line of a file to `replay`.
 *
 * @returns The total size of the intact lines in bytes; undefined if the file does not exist.
 */
async function readLines(path: string, replay: (value: unknown) => void): Promise<number | undefined> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    return undefined;
  });
  if (handle === undefined) return undefined;
  const window = Buffer.allocUnsafe(MAX_LINE + PIECE);
  let end = 0;
  let isTorn = false;
  try {
    for (let position = 0, kept = 0; ; ) {
      const { bytesRead } = await handle.read(window, kept, PIECE, position);
      if (bytesRead === 0) return end;
      position += bytesRead;
      const bytes = window.subarray(0, kept + bytesRead);
      let at = 0;
      for (let newline = bytes.indexOf(0x0a); newline >= 0; newline = bytes.indexOf(0x0a, at)) {
        const value = decodeLine(bytes.subarray(at, newline));
        if (value === undefined) isTorn = true;
        // The torn tail of a crash contains no intact line; an intact line after a bad one means that the file was
        // damaged.
        else if (isTorn) throw new Error(`${path} is damaged at byte ${end}: restore it from a backup`);
        else {
          replay(value);
          end += newline + 1 - at;
        }
        at = newline + 1;
      }
      bytes.copyWithin(0, at);
      kept = bytes.length - at;
      if (kept > MAX_LINE) {
        isTorn = true;
        kept = 0;
      }
    }
  } finally {
    await handle.close();
  }
}

/**
 * A durable list of small JSON values: one `crc32 json` line each, with group commit; the torn tail of a crash is cut
 * off on opening.
 */
export class Journal {
  readonly path: string;
  readonly #durable: boolean;
  readonly #file: AppendFile;

  private constructor(path: string, durable: boolean, file: AppendFile) {
    this.path = path;
    this.#durable = durable;
    this.#file = file;
  }

  /** Opens the journal and passes every stored value to `replay`, oldest first. */
  static async open(path: string, durable: boolean, replay: (value: unknown) => void): Promise<Journal> {
    const end = await readLines(path, replay);
    const file = await AppendFile.open(path, end ?? 0, durable);
    // Without its directory entry, a crash would lose the file and everything synced into it.
    if (durable && end === undefined) await syncDirectory(dirname(path));
    return new Journal(path, durable, file);
  }

  /**
   * Rewrites the journal with only these values. On a full disk it is left as it is, unless it `mustChange`, so that
   * the store can still be opened and collected.
   *
   * @returns The journal to continue with; this one is closed, even after an error.
   */
  async rewritten(values: Iterable<unknown>, mustChange: boolean): Promise<Journal> {
    try {
      await replaceFile(this.path, Buffer.concat([...values].map(encodeLine)));
    } catch (error) {
      if (mustChange || !isDiskFull(error)) {
        await this.close();
        throw error;
      }
    }
    // Even after an error, the file may already have been renamed.
    await this.close();
    return Journal.open(this.path, this.#durable, () => undefined);
  }

  get size(): number {
    return this.#file.size;
  }

  /** Why writing has stopped; data being written at that time may or may not be on the disk. */
  get failure(): Error | undefined {
    return this.#file.failure;
  }

  /** Appends the values; resolves once they, and all before them, survive a crash. */
  async append(values: readonly unknown[]): Promise<void> {
    if (values.length > 0) await this.#file.append(values.map(encodeLine));
    await this.#file.sync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
