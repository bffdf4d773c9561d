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
/** Small pieces are cheaper to copy together than to hand to the kernel one by one. */
const COPY_BELOW = 64 << 10;
/** Unsynced bytes after which a sync starts on its own, so that the one at the end of an upload has little left. */
const FLUSH_EVERY = 16 << 20;

const sizeOf = (parts: readonly Uint8Array[]) => parts.reduce((sum, part) => sum + part.byteLength, 0);

/**
 * A file that only grows. Concurrent appends are written together; concurrent syncs share one `fdatasync`
 * (group commit).
 */
export class AppendFile {
  readonly #handle: FileHandle;
  readonly #durable: boolean;
  #written: number;
  #synced: number;
  #queue: Write[] = [];
  #waiters: Waiter[] = [];
  #writing: Promise<void> | undefined;
  #syncing: Promise<void> | undefined;
  #failure: Error | undefined;

  private constructor(handle: FileHandle, size: number, durable: boolean) {
    this.#handle = handle;
    this.#written = size;
    this.#synced = size;
    this.#durable = durable;
  }

  /** Opens `path`, cut to `size` bytes. With `durable` false, `sync` only waits for the writes. */
  static async open(path: string, size: number, durable: boolean): Promise<AppendFile> {
    const handle = await open(path, 'a+', 0o600);
    const { size: actual } = await handle.stat();
    if (actual > size) {
      await handle.truncate(size);
      await handle.datasync();
    }
    return new AppendFile(handle, size, durable);
  }

  get size(): number {
    return this.#written;
  }

  get handle(): FileHandle {
    return this.#handle;
  }

  /** Appends the pieces as one run of bytes; resolves to its offset once it can be read. */
  append(parts: readonly Uint8Array[]): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ parts, bytes: sizeOf(parts), resolve, reject });
      this.#writing ??= this.#write().finally(() => {
        this.#writing = undefined;
      });
    });
  }

  /** Resolves once every append that has resolved so far is on the disk. */
  sync(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (!this.#durable || this.#synced >= this.#written) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiters.push({ target: this.#written, resolve, reject });
      this.#startSync();
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#syncing;
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
      this.#written += sizeOf(batch.flatMap((write) => write.parts));
      for (const write of batch) {
        write.resolve(offset);
        offset += write.bytes;
      }
      if (this.#durable && this.#written - this.#synced >= FLUSH_EVERY) this.#startSync();
    }
  }

  #takeBatch(): Write[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#queue.length && bytes < BATCH_BYTES) bytes += this.#queue[count++]?.bytes ?? 0;
    return this.#queue.splice(0, count);
  }

  async #writeOut(batch: readonly Write[]): Promise<void> {
    const parts = batch.flatMap((write) => write.parts);
    const bytes = sizeOf(parts);
    let rest = bytes < COPY_BELOW ? [Buffer.concat(parts)] : parts;
    let position = this.#written;
    while (rest.length > 0) {
      const { bytesWritten } = await this.#handle.writev(rest as NodeJS.ArrayBufferView[]);
      if (bytesWritten === 0) throw new Error('the disk took no bytes');
      position += bytesWritten;
      rest = dropBytes(rest, bytesWritten);
    }
    if (position !== this.#written + bytes) throw new Error('short write');
  }

  /** After a failed write the file ends where it ended before; if even that fails, nothing more is written. */
  async #giveUp(error: unknown, batch: readonly Write[]): Promise<void> {
    try {
      if (this.#failure === undefined) await this.#handle.truncate(this.#written);
    } catch (cause) {
      this.#fail(cause);
    }
    for (const write of batch) write.reject(error);
  }

  #startSync(): void {
    this.#syncing ??= this.#syncLoop().finally(() => {
      this.#syncing = undefined;
    });
  }

  async #syncLoop(): Promise<void> {
    do {
      const target = this.#written;
      try {
        await this.#handle.datasync();
      } catch (error) {
        // After a failed sync the kernel may have dropped the pages: what was written since is not to be trusted.
        this.#fail(error);
        return;
      }
      this.#synced = target;
      const done = this.#waiters.filter((waiter) => waiter.target <= target);
      this.#waiters = this.#waiters.filter((waiter) => waiter.target > target);
      for (const waiter of done) waiter.resolve();
    } while (this.#waiters.length > 0);
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
