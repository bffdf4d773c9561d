import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { readFile as readFileWhole } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Charge } from '../../admission/charge';
import { Disk } from '../../admission/disk';
import { makeDirectory } from '../../runtime/directory';
import { replaceFile } from '../../runtime/replace-file';
import { errorCode } from '../../runtime/error-code';
import { matchesKey } from './hashes';
import { CommandError } from '../errors';
import {
  type BlockStore,
  DamagedBlockError,
  InUseError,
  isStorable,
  type IsLive,
  keyText,
  type Multihash,
  type Progress,
  type Session,
  type StoreStat,
} from './block-store';
import { type FileStoreOptions } from './file-options';
import { fileOf, isBlockFolder, keyOfFile, SHARDING } from './flatfs';
import { BlocksInUse } from './in-use';
import { SharedSync } from './shared-sync';

const readWhole = promisify(readFileWhole);
const TEMPORARY = '.temp';
/** The largest block that an upload has without asking for more: the store is ready if one fits. */
const USUAL_BYTES = 1 << 20;

/** The result, or undefined if the file or folder does not exist. */
async function ifPresent<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Blocks as plain files, in the layout of Kubo's `flatfs`.
 *
 * Crash safety is the file system's: a block is written to a temporary file, synced and renamed, so its file is whole
 * or absent; `commit` syncs the folders whose names have changed.
 */
export class FileStore implements BlockStore {
  readonly #root: string;
  readonly #options: FileStoreOptions;
  readonly #inUse = new BlocksInUse();
  readonly #folders: Set<string>;
  /** Blocks being written or removed; a change of the same block waits. */
  readonly #changing = new Map<string, Promise<void>>();
  readonly #names: SharedSync;
  readonly #disk: Disk;
  #serial = 0;
  #sweeps = false;
  #counted: { blocks: number; blockBytes: number } | undefined;

  private constructor(root: string, options: FileStoreOptions, folders: Set<string>) {
    this.#root = root;
    this.#options = options;
    this.#folders = folders;
    this.#names = new SharedSync(options.durable);
    this.#disk = new Disk(root, options.diskReserveBytes ?? 0);
  }

  /** Opens the store in `root`, creating it if absent. @throws Error if its files are arranged in another way. */
  static async open(root: string, options: FileStoreOptions): Promise<FileStore> {
    makeDirectory(root);
    const path = join(root, 'SHARDING');
    const sharding = await ifPresent(readFile(path, 'utf8'));
    if (sharding === undefined) await replaceFile(path, SHARDING);
    else if (sharding.trim() !== SHARDING.trim()) {
      throw new Error(`${path}: the files are arranged as ${sharding.trim()}, not as ${SHARDING.trim()}`);
    }
    // What a crash has left half written.
    await rm(join(root, TEMPORARY), { recursive: true, force: true });
    await mkdir(join(root, TEMPORARY), { mode: 0o700 });
    const names = await readdir(root);
    return new FileStore(root, options, new Set(names.filter(isBlockFolder)));
  }

  async has(key: Multihash): Promise<boolean> {
    return (await this.#sizeOf(key)) !== undefined;
  }

  async get(key: Multihash, charge: Charge): Promise<Uint8Array | undefined> {
    if (!isStorable(key)) return undefined;
    const bytes = await ifPresent(readWhole(this.#pathOf(key)));
    if (bytes !== undefined && this.#options.hashOnRead && !(await matchesKey(key, bytes, charge)))
      throw new DamagedBlockError();
    return bytes;
  }

  put(key: Multihash, bytes: Uint8Array): Promise<void> {
    return this.#change(key, async () => {
      // Compared, so that adding a block again repairs it.
      const before = await ifPresent(readWhole(this.#pathOf(key)));
      if (before !== undefined && Buffer.compare(before, bytes) === 0) return;
      await this.#write(key, bytes);
      if (this.#counted === undefined) return;
      if (before === undefined) this.#counted.blocks++;
      this.#counted.blockBytes += bytes.length - (before?.length ?? 0);
    });
  }

  commit(): Promise<void> {
    return this.#names.sync();
  }

  async delete(key: Multihash, mayGo: () => Promise<void> = () => Promise.resolve()): Promise<boolean> {
    const used = this.#inUse.track();
    try {
      await mayGo();
      const isRemoved = await this.#remove(key, () => {
        if (used.has(key)) throw new InUseError();
        return true;
      });
      await this.commit();
      return isRemoved;
    } finally {
      used.end();
    }
  }

  async *keys(): AsyncGenerator<Multihash> {
    for (const folder of this.#folders) {
      for (const file of await readdir(join(this.#root, folder))) {
        const key = keyOfFile(folder, file);
        if (key !== undefined) yield key;
      }
    }
  }

  begin(onKey: () => void = () => undefined): Session {
    const uses = this.#inUse.begin(onKey);
    /** Kept, so they need not be compared again: files of one upload may have blocks in common. */
    const stored = new Set<string>();
    return {
      put: async (key, bytes) => {
        const text = keyText(key);
        if (stored.has(text)) return;
        uses.add(key);
        await this.put(key, bytes);
        onKey();
        stored.add(text);
      },
      keep: async (key) => {
        uses.add(key);
        // Its removal may have begun before.
        await this.#changing.get(keyText(key));
      },
      end: uses.end,
    };
  }

  async *sweep(mark: () => Promise<IsLive>, progress?: Progress, onBlock?: () => void): AsyncGenerator<Multihash> {
    if (this.#sweeps) throw new CommandError('a garbage collection is already running');
    this.#sweeps = true;
    const used = this.#inUse.track();
    try {
      const isLive = await mark();
      let done = 0;
      const { blocks } = await this.stat();
      for await (const key of this.keys()) {
        onBlock?.();
        progress?.(Math.min(++done, blocks), blocks);
        if (!isLive(key) && (await this.#remove(key, () => !used.has(key)))) yield key;
      }
      await this.commit();
    } finally {
      used.end();
      this.#sweeps = false;
    }
  }

  async stat(): Promise<StoreStat> {
    this.#counted ??= await this.#count();
    return { ...this.#counted };
  }

  async check(): Promise<void> {
    await readdir(join(this.#root, TEMPORARY));
    await this.#disk.check(USUAL_BYTES);
  }

  async close(): Promise<void> {
    await Promise.all(this.#changing.values());
    await this.commit();
  }

  async #sizeOf(key: Multihash): Promise<number | undefined> {
    if (!isStorable(key)) return undefined;
    return (await ifPresent(stat(this.#pathOf(key))))?.size;
  }

  #pathOf(key: Multihash): string {
    const { folder, file } = fileOf(key);
    return join(this.#root, folder, file);
  }

  /** Makes one change of a block after another. */
  async #change<T>(key: Multihash, change: () => Promise<T>): Promise<T> {
    const text = keyText(key);
    for (let other = this.#changing.get(text); other !== undefined; other = this.#changing.get(text)) await other;
    const changed = change();
    const settled = changed.then(
      () => undefined,
      () => undefined,
    );
    this.#changing.set(text, settled);
    try {
      return await changed;
    } finally {
      this.#changing.delete(text);
    }
  }

  async #write(key: Multihash, bytes: Uint8Array): Promise<void> {
    const { folder, file } = fileOf(key);
    await this.#disk.charge(bytes.length);
    const temporary = join(this.#root, TEMPORARY, String(++this.#serial));
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await this.#fill(handle, bytes);
      const target = join(this.#root, folder);
      if (!this.#folders.has(folder)) {
        await mkdir(target, { recursive: true, mode: 0o700 });
        this.#folders.add(folder);
        this.#names.changed(this.#root);
      }
      await rename(temporary, join(target, file));
      this.#names.changed(target);
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw error;
    }
  }

  async #fill(handle: FileHandle, bytes: Uint8Array): Promise<void> {
    try {
      await handle.writev([bytes], 0);
      if (this.#options.durable) await handle.datasync();
    } finally {
      await handle.close();
    }
  }

  /** @param mayGo - Asked in the step that begins the removal: who uses the block from then on waits for its end. */
  #remove(key: Multihash, mayGo: () => boolean): Promise<boolean> {
    return this.#change(key, async () => {
      if (!mayGo()) return false;
      const size = await this.#sizeOf(key);
      if (size === undefined) return false;
      await unlink(this.#pathOf(key));
      this.#names.changed(join(this.#root, fileOf(key).folder));
      if (this.#counted !== undefined) {
        this.#counted.blocks--;
        this.#counted.blockBytes -= size;
      }
      return true;
    });
  }

  async #count(): Promise<{ blocks: number; blockBytes: number }> {
    const counted = { blocks: 0, blockBytes: 0 };
    for await (const key of this.keys()) {
      const size = await this.#sizeOf(key);
      if (size === undefined) continue;
      counted.blocks++;
      counted.blockBytes += size;
    }
    return counted;
  }
}
