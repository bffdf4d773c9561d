import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { AppendFile } from './blocks/appendFile';
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

function hasWholeLine(bytes: Buffer): boolean {
  for (let at = 0, newline = bytes.indexOf(0x0a); newline >= 0; newline = bytes.indexOf(0x0a, at)) {
    if (decodeLine(bytes.subarray(at, newline)) !== undefined) return true;
    at = newline + 1;
  }
  return false;
}

/**
 * A durable list of small JSON values: one `crc32 json` line each, group commit, the torn tail of a crash cut on
 * opening.
 */
export class Journal {
  readonly path: string;
  readonly #file: AppendFile;

  private constructor(path: string, file: AppendFile) {
    this.path = path;
    this.#file = file;
  }

  /** Opens the journal and hands every stored value to `replay`, oldest first. */
  static async open(path: string, durable: boolean, replay: (value: unknown) => void): Promise<Journal> {
    const existing = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    const isNew = existing === undefined;
    const bytes = existing ?? Buffer.alloc(0);
    let end = 0;
    for (let at = 0; at < bytes.length; at = end) {
      const newline = bytes.indexOf(0x0a, at);
      if (newline < 0) break;
      const value = decodeLine(bytes.subarray(at, newline));
      if (value === undefined) {
        // The torn tail of a crash holds nothing whole; anything whole behind a bad line means the file was damaged.
        if (!hasWholeLine(bytes.subarray(newline + 1))) break;
        throw new Error(`${path} is damaged at byte ${at}: restore it from a backup`);
      }
      replay(value);
      end = newline + 1;
    }
    const file = await AppendFile.open(path, end, durable);
    // A file that a crash leaves no name of has lost everything that is synced into it.
    if (durable && isNew) await syncDirectory(dirname(path));
    return new Journal(path, file);
  }

  /** Replaces the content of a closed journal. */
  static async rewrite(path: string, values: Iterable<unknown>): Promise<void> {
    await replaceFile(path, Buffer.concat([...values].map(encodeLine)));
  }

  get size(): number {
    return this.#file.size;
  }

  /** Why nothing more is written; what was being written then may be on the disk, or not. */
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
