import { constants, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { takeOut } from '../passing';
import { BetterWay } from './direct-io';
import { DirectFile } from './direct-file';
import { StoreFailedError } from './store';

type Write = {
  readonly parts: readonly Uint8Array[];
  readonly bytes: number;
  readonly resolve: (offset: number) => void;
  readonly reject: (error: unknown) => void;
};
type Waiter = { readonly target: number; readonly resolve: () => void; readonly reject: (error: unknown) => void };

export type AppendOptions = {
  /** Without it `sync` only waits for the writes. */
  readonly durable: boolean;
  /**
   * Whether large batches go past the page cache, or what says so of each: until `finish`, zeros are behind the end then, less
   * than a page.
   */
  readonly direct: boolean | BetterWay;
};

const BATCH_BYTES = 4 << 20;
/** Small pieces are cheaper to copy together, and to write at once, than to hand to a thread one by one. */
const COPY_BELOW = 64 << 10;
/** Syncs under way at once: whoever comes while one runs need not wait for its end before his own begins. */
const SYNCS = 2;
/** Bytes in the page cache after which a sync starts on its own, so that the one at the end of an upload has little left. */
const FLUSH_EVERY = 16 << 20;
/** Bytes of a batch from which on it may go past the page cache. */
const DIRECT_ABOVE = 256 << 10;

const sizeOf = (parts: readonly Uint8Array[]) => parts.reduce((sum, part) => sum + part.byteLength, 0);

/**
 * A file that only grows. Concurrent appends are written together; concurrent syncs share one `fdatasync`
 * (group commit).
 */
export class AppendFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #durable: boolean;
  /** Undefined before the first large batch, false where all are written the ordinary way. */
  #direct: DirectFile | false | undefined;
  readonly #better: BetterWay | undefined;
  /** Whether zeros may be behind the end. */
  #padded = false;
  #written: number;
  /** Nothing at first: a process that was killed may have left in memory what it wrote. */
  #synced = 0;
  /** Where what may have been promised to somebody ends. */
  #promised: number;
  #queue: Write[] = [];
  #waiters: Waiter[] = [];
  #writing: Promise<void> | undefined;
  #syncing = new Set<Promise<void>>();
  /** What the latest sync that was started covers. */
  #covered = 0;
  /** Bytes that went to the page cache since then. */
  #cached = 0;
  #failure: Error | undefined;

  private constructor(path: string, handle: FileHandle, size: number, { durable, direct }: AppendOptions) {
    this.#path = path;
    this.#direct = direct === false ? false : undefined;
    this.#better = direct instanceof BetterWay ? direct : undefined;
    this.#handle = handle;
    this.#written = size;
    this.#promised = size;
    this.#durable = durable;
  }

  /** Opens `path`, cut to `size` bytes. */
  static async open(path: string, size: number, options: AppendOptions): Promise<AppendFile> {
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
    return new AppendFile(path, handle, size, options);
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
      this.#writing ??= this.#write();
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

  /** Why nothing more is written; undefined as long as all is well. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Syncs what is written and cuts what is behind it. Nothing may be appended from here on; it can still be read. */
  async finish(): Promise<void> {
    try {
      await this.#writing;
      if (this.#padded && this.#failure === undefined) await this.#handle.truncate(this.#written);
      await this.sync();
    } finally {
      await this.#closeDirect();
    }
  }

  async close(): Promise<void> {
    await this.#writing;
    while (this.#syncing.size > 0) await Promise.all(this.#syncing);
    await this.#closeDirect();
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
      if (this.#durable && this.#cached >= FLUSH_EVERY) this.#startSync();
    }
    // In the same step in which the queue was seen empty: an append that comes later must find nobody writing.
    this.#writing = undefined;
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
    const direct = bytes < DIRECT_ABOVE ? false : await this.#openDirect();
    if (direct === false) await this.#writeCached(parts, bytes);
    else if (this.#better === undefined) await this.#writeDirect(direct, parts, bytes);
    else {
      await this.#better.take(bytes, {
        direct: () => this.#writeDirect(direct, parts, bytes),
        cached: () => this.#writeCached(parts, bytes),
      });
    }
  }

  async #writeCached(parts: readonly Uint8Array[], bytes: number): Promise<void> {
    let rest: readonly Uint8Array[] = bytes < COPY_BELOW ? [Buffer.concat(parts)] : parts;
    let position = this.#written;
    while (rest.length > 0) {
      const [only] = rest;
      const bytesWritten =
        only !== undefined && bytes < COPY_BELOW
          ? writeSync(this.#handle.fd, only, 0, only.byteLength, position)
          : (await this.#handle.writev(rest as NodeJS.ArrayBufferView[], position)).bytesWritten;
      if (bytesWritten === 0) throw new Error('the disk took no bytes');
      position += bytesWritten;
      rest = dropBytes(rest, bytesWritten);
    }
    if (position !== this.#written + bytes) throw new Error('short write');
    this.#cached += bytes;
  }

  async #openDirect(): Promise<DirectFile | false> {
    return (this.#direct ??= (await DirectFile.open(this.#path, this.#handle)) ?? false);
  }

  /** Where the disk cannot do it, the page cache takes the batch, and all later ones. */
  async #writeDirect(direct: DirectFile, parts: readonly Uint8Array[], bytes: number): Promise<void> {
    this.#padded = true;
    try {
      await direct.write(parts, this.#written);
    } catch (error) {
      if (!DirectFile.isUnable(error)) throw error;
      await this.#closeDirect();
      await this.#writeCached(parts, bytes);
    }
  }

  async #closeDirect(): Promise<void> {
    const direct = this.#direct;
    this.#direct = false;
    if (direct) await direct.close();
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

  /** Syncs what is written, unless a sync that covers it, or as many as may be, are under way. */
  #startSync(): void {
    if (this.#covered >= this.#written || this.#syncing.size >= SYNCS || this.#failure !== undefined) return;
    this.#covered = this.#written;
    this.#cached = 0;
    const sync = this.#syncTo(this.#written).finally(() => {
      this.#syncing = takeOut(this.#syncing, sync);
      if (this.#waiters.length > 0) this.#startSync();
    });
    this.#syncing.add(sync);
  }

  async #syncTo(target: number): Promise<void> {
    try {
      await this.#handle.datasync();
    } catch (error) {
      // After a failed sync the kernel may have dropped the pages: what was written since is not to be trusted.
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

  /** Until the next boot the kernel may give pages that never reached the disk: whoever opens the file must not find them. */
  async #cutUnpromised(): Promise<void> {
    await this.#writing;
    // A disk that does not take this either leaves them there.
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
