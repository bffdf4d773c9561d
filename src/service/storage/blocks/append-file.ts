import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { StoreFailedError } from './store';

type Write = {
  readonly parts: readonly Uint8Array[];
  readonly bytes: number;
  readonly resolve: (offset: number) => void;
  readonly reject: (error: unknown) => void;
};
type Waiter = { readonly target: number; readonly resolve: () => void; readonly reject: (error: unknown) => void };

const BATCH_BYTES = 4 << 20;
/** Maximum number of concurrent syncs: a caller need not wait for a running one before its own starts. */
const SYNCS = 2;
/**
 * Bytes in the page cache after which a sync starts on its own, so that little is left to sync at the end of an upload.
 */
const FLUSH_EVERY = 16 << 20;

const sizeOf = (parts: readonly Uint8Array[]) => parts.reduce((sum, part) => sum + part.byteLength, 0);

/**
 * A file that only grows. Concurrent appends are written together; concurrent syncs share one `fdatasync` (group
 * commit).
 */
export class AppendFile {
  readonly #handle: FileHandle;
  readonly #durable: boolean;
  #written: number;
  /** Initially nothing: a killed process may have left unsynced data in the page cache. */
  #synced = 0;
  /** End of the data that may have been acknowledged. */
  #promised: number;
  #queue: Write[] = [];
  #waiters: Waiter[] = [];
  #writing: Promise<void> | undefined;
  readonly #syncing = new Set<Promise<void>>();
  /** End of the data covered by the latest sync. */
  #covered = 0;
  /** Bytes written since then. */
  #unsynced = 0;
  #failure: Error | undefined;

  private constructor(handle: FileHandle, size: number, durable: boolean) {
    this.#handle = handle;
    this.#written = size;
    this.#promised = size;
    this.#durable = durable;
  }

  /**
   * Opens `path`, truncated to `size` bytes.
   *
   * @param durable - Whether `sync` waits for the disk; if not, only for the writes.
   */
  static async open(path: string, size: number, durable: boolean): Promise<AppendFile> {
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      const { size: actual } = await handle.stat();
      if (actual > size) {
        await handle.truncate(size);
        await handle.datasync();
      }
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new AppendFile(handle, size, durable);
  }

  get size(): number {
    return this.#written;
  }

  get handle(): FileHandle {
    return this.#handle;
  }

  /** Appends the pieces as one run of bytes; resolves to its offset once it is readable. */
  append(parts: readonly Uint8Array[]): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ parts, bytes: sizeOf(parts), resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  /** Resolves once every append that has resolved so far is on disk. */
  sync(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (!this.#durable || this.#synced >= this.#written) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiters.push({ target: this.#written, resolve, reject });
      this.#startSync();
    });
  }

  /** Why nothing more is written; undefined if all is well. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Waits for the appends and syncs them. No appends may follow; reads may. */
  async finish(): Promise<void> {
    await this.#writing;
    await this.sync();
  }

  async close(): Promise<void> {
    await this.#writing;
    while (this.#syncing.size > 0) await Promise.all(this.#syncing);
    await this.#handle.close();
  }

  async #write(): Promise<void> {
    // A turn of the event loop lets the appends of other requests join the batch.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#takeBatch();
      try {
        if (this.#failure !== undefined) throw this.#failure;
        await this.#writeOut(batch);
      } catch (error) {
        await this.#giveUp(error, batch);
        continue;
      }
      let offset = this.#written;
      this.#written += batch.reduce((sum, { bytes }) => sum + bytes, 0);
      for (const write of batch) {
        write.resolve(offset);
        offset += write.bytes;
      }
      if (this.#durable && this.#unsynced >= FLUSH_EVERY) this.#startSync();
    }
    // Reset in the same step that found the queue empty, so that a later append starts a new write.
    this.#writing = undefined;
  }

  #takeBatch(): Write[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#queue.length && bytes < BATCH_BYTES) bytes += this.#queue[count++]?.bytes ?? 0;
    return this.#queue.splice(0, count);
  }

  async #writeOut(batch: readonly Write[]): Promise<void> {
    let rest = batch.flatMap((write) => write.parts);
    let position = this.#written;
    while (rest.length > 0) {
      const { bytesWritten } = await this.#handle.writev(rest, position);
      if (bytesWritten === 0) throw new Error('the disk took no bytes');
      position += bytesWritten;
      rest = dropBytes(rest, bytesWritten);
    }
    this.#unsynced += position - this.#written;
  }

  /** After a failed write the file is truncated to its previous end; if that fails too, nothing more is written. */
  async #giveUp(error: unknown, batch: readonly Write[]): Promise<void> {
    try {
      if (this.#failure === undefined) await this.#handle.truncate(this.#written);
    } catch (cause) {
      this.#fail(cause);
    }
    for (const write of batch) write.reject(error);
  }

  /** Syncs the data, unless a running sync covers it or the maximum number of syncs is running. */
  #startSync(): void {
    if (this.#covered >= this.#written || this.#syncing.size >= SYNCS || this.#failure !== undefined) return;
    this.#covered = this.#written;
    this.#unsynced = 0;
    const sync = this.#syncTo(this.#written).finally(() => {
      this.#syncing.delete(sync);
      if (this.#waiters.length > 0) this.#startSync();
    });
    this.#syncing.add(sync);
  }

  async #syncTo(target: number): Promise<void> {
    try {
      await this.#handle.datasync();
    } catch (error) {
      // After a failed sync the kernel may have dropped the pages, so data written since then cannot be trusted.
      this.#fail(error);
      await this.#cutUnpromised();
      return;
    }
    if (this.#failure !== undefined || target <= this.#synced) return;
    this.#synced = target;
    this.#promised = Math.max(this.#promised, target);
    const done = this.#waiters.filter((waiter) => waiter.target <= target);
    this.#waiters = this.#waiters.filter((waiter) => waiter.target > target);
    for (const waiter of done) waiter.resolve();
  }

  /**
   * Until the next boot the kernel may return pages that never reached the disk; nobody opening the file may see them.
   */
  async #cutUnpromised(): Promise<void> {
    await this.#writing;
    // If the disk rejects this too, the pages remain.
    await this.#handle.truncate(this.#promised).catch(() => undefined);
  }

  #fail(cause: unknown): void {
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.#failure = new StoreFailedError(`the store stopped accepting data: ${reason}`, { cause });
    for (const waiter of this.#waiters.splice(0)) waiter.reject(this.#failure);
  }
}

function dropBytes(parts: readonly Uint8Array[], count: number): Uint8Array[] {
  let left = count;
  const rest: Uint8Array[] = [];
  for (const part of parts) {
    if (left >= part.byteLength) left -= part.byteLength;
    else {
      rest.push(left > 0 ? part.subarray(left) : part);
      left = 0;
    }
  }
  return rest;
}
