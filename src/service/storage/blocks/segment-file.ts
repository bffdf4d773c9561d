import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AppendFile } from './append-file';
import { type Location } from './block-index';
import { isDiskFull } from './disk-full';
import { type IndexEntry, IndexLog, replaceFile, SEGMENT_HEADER } from './segment';

const nameOf = (id: number) => String(id).padStart(8, '0');
export const segmentPath = (directory: string, id: number) => join(directory, `${nameOf(id)}.car`);
export const indexPath = (directory: string, id: number) => join(directory, `${nameOf(id)}.index`);

/** One segment: written through `writer` while it is active, then only read. */
export class SegmentFile {
  readonly id: number;
  readonly #directory: string;
  readonly #handle: FileHandle;
  #writer: AppendFile | undefined;
  /** Whether it accepts no more: its end is being truncated, and anything appended meanwhile would be lost. */
  #ends = false;
  #size: number;
  readonly #appends = new Set<Promise<number>>();
  /** The header while it is being written. */
  #header: Promise<number> | undefined;
  #reading = 0;
  #retired = false;
  /** Bytes of records that nothing refers to any longer. */
  deadBytes = 0;
  /** Blocks that the index finds in this segment. */
  liveBlocks = 0;
  /** Offsets of copies that were superseded by a later copy and are not recorded as removed. */
  superseded: number[] = [];
  /** The future content of this segment's index file. */
  #log: IndexLog | undefined;

  private constructor(directory: string, id: number, handle: FileHandle, size: number, log?: IndexLog) {
    this.#directory = directory;
    this.id = id;
    this.#handle = handle;
    this.#size = size;
    this.#log = log;
  }

  static async openSealed(directory: string, id: number): Promise<SegmentFile> {
    const handle = await open(segmentPath(directory, id), 'r');
    try {
      return new SegmentFile(directory, id, handle, (await handle.stat()).size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /**
   * Opens the segment that takes new blocks, truncated to `size`. An empty one takes no disk space until the first
   * block.
   */
  static async openActive(
    directory: string,
    id: number,
    size: number,
    entries: readonly IndexEntry[],
    durable: boolean,
  ): Promise<SegmentFile> {
    const writer = await AppendFile.open(segmentPath(directory, id), size, durable);
    const log = new IndexLog();
    for (const { key, location } of entries) log.push({ key, ...location });
    const segment = new SegmentFile(directory, id, writer.handle, writer.size, log);
    segment.#writer = writer;
    return segment;
  }

  get handle(): FileHandle {
    return this.#handle;
  }

  get size(): number {
    return this.#writer?.size ?? this.#size;
  }

  get active(): boolean {
    return this.#writer !== undefined;
  }

  /** Appends a record; `head` is its framing, `parts` the block. Resolves to the block's location. */
  async append(head: Uint8Array, parts: readonly Uint8Array[], key: Uint8Array, crc: number): Promise<Location> {
    if (this.#writer === undefined || this.#ends) throw new Error('the segment is sealed');
    const append = this.#write(this.#writer, [head, ...parts]);
    this.#appends.add(append);
    try {
      const start = await append;
      const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
      const location = { segment: this.id, offset: start + head.length, length, crc };
      this.#log?.push({ key, ...location });
      return location;
    } finally {
      this.#appends.delete(append);
    }
  }

  /** Appends a record, preceded by the CAR header if it is the first; resolves to its offset. */
  async #write(writer: AppendFile, record: readonly Uint8Array[]): Promise<number> {
    if (writer.size === 0) {
      this.#header ??= writer.append([SEGMENT_HEADER]).finally(() => {
        this.#header = undefined;
      });
      await this.#header;
    }
    return writer.append(record);
  }

  /** Why it accepts no more. */
  get failure(): Error | undefined {
    return this.#writer?.failure;
  }

  async sync(): Promise<void> {
    await this.#writer?.sync();
  }

  /** Reads the bytes of one block; fewer than requested if the file ends before. */
  async read(location: Location): Promise<Buffer> {
    this.#reading++;
    try {
      return await readExtent(this.#handle, location);
    } finally {
      this.#reading--;
      if (this.#retired && this.#reading === 0) await this.#handle.close();
    }
  }

  /**
   * Ends writing and writes the index file; nothing can be appended afterwards. If the disk has no room for the index,
   * the segment is scanned when the store is opened.
   */
  async seal(): Promise<void> {
    const writer = this.#writer;
    if (writer === undefined) return;
    this.#ends = true;
    while (this.#appends.size > 0) await Promise.allSettled(this.#appends);
    await writer.finish();
    const index = this.#log?.encode(writer.size) ?? new Uint8Array(0);
    try {
      await replaceFile(indexPath(this.#directory, this.id), index);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    } finally {
      this.#log = undefined;
      this.#size = writer.size;
      // Last: until then its latest blocks may be missing from the catalogue.
      this.#writer = undefined;
    }
  }

  /** Deletes the files; reads in progress still finish. */
  async retire(): Promise<void> {
    await unlink(segmentPath(this.#directory, this.id));
    await unlink(indexPath(this.#directory, this.id)).catch(() => undefined);
    this.#retired = true;
    if (this.#reading === 0) await this.#handle.close();
  }

  async close(): Promise<void> {
    // A store that has failed or whose disk is full cannot be sealed; its content is found again by scanning.
    await this.seal().catch(() => undefined);
    await this.#handle.close();
  }
}

/** Reads a range of bytes of a file; fewer if the file ends before. */
async function readExtent(handle: FileHandle, { offset, length }: Location): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
