import { mkdir } from 'node:fs/promises';
import { type CID } from 'multiformats/cid';
import { type Journal } from '../journal';
import { BlockIndex, keyText, type Location } from './blockIndex';
import { crcOf } from './crc';
import { scanLive } from './liveScan';
import { LocalSessions } from './localSessions';
import { rawCid } from './rawCid';
import { ReadCache } from './readCache';
import { type Recovered, type RecoveredSegment, recoverSegments } from './recovery';
import { COMPACT_ABOVE, recordHead, recordIntact, syncDirectory } from './segment';
import { SegmentFile } from './segmentFile';
import {
  type BlockStore,
  DamagedBlockError,
  type IsLive,
  type Multihash,
  type Progress,
  type Session,
  type StoreStat,
} from './store';

export type SegmentStoreOptions = {
  /** Whether `commit` waits for the disk; without it a crash of the machine may lose acknowledged blocks. */
  readonly durable: boolean;
  /** Size in bytes at which a segment is closed and the next one begun; below 4 GiB. */
  readonly segmentBytes: number;
  /** Bytes of small blocks kept in memory for reading. */
  readonly cacheBytes: number;
  /** Told what was repaired while opening, and about damage found later. */
  readonly warn: (message: string) => void;
};

/** Deletions made durable together by a sweep. */
const SWEEP_BATCH = 256;

/**
 * Blocks in packed, append-only segments with an index in memory.
 *
 * Crash safety: nothing is ever overwritten. Blocks are acknowledged by `commit` after `fdatasync`. On opening, what
 * the index files do not cover is read and every block in it compared with its hash; a torn tail is cut there. Each
 * read compares a CRC-32 taken when the block was written, and a block that fails is forgotten, so that adding it
 * again repairs the store.
 */
export class SegmentStore implements BlockStore {
  readonly #directory: string;
  readonly #options: SegmentStoreOptions;
  readonly #index = new BlockIndex();
  readonly #segments = new Map<number, SegmentFile>();
  readonly #pending = new Map<string, Promise<void>>();
  readonly #cache: ReadCache;
  readonly #sessions = new LocalSessions();
  readonly #removed: Journal;
  #active: SegmentFile;
  #rolling: Promise<void> | undefined;
  readonly #sealing = new Set<SegmentFile>();
  #damaged: number;
  #blockBytes = 0;

  private constructor(directory: string, options: SegmentStoreOptions, { active, removedJournal, damaged }: Recovered) {
    this.#directory = directory;
    this.#options = options;
    this.#active = active;
    this.#removed = removedJournal;
    this.#damaged = damaged;
    this.#cache = new ReadCache(options.cacheBytes);
  }

  /** Opens the store in `directory`, creating it when absent, and repairs what a crash left behind. */
  static async open(directory: string, options: SegmentStoreOptions): Promise<SegmentStore> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const recovered = await recoverSegments(directory, options);
    const store = new SegmentStore(directory, options, recovered);
    for (const segment of recovered.segments) store.#adopt(segment, recovered.removed);
    return store;
  }

  has(key: Multihash): Promise<boolean> {
    return Promise.resolve(this.#index.get(key) !== undefined);
  }

  sizeOf(key: Multihash): Promise<number | undefined> {
    return Promise.resolve(this.#index.get(key)?.length);
  }

  async get(key: Multihash): Promise<Uint8Array | undefined> {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const location = this.#index.get(key);
    if (location === undefined) return undefined;
    const bytes = await this.#segmentAt(location.segment).read(location);
    if (bytes.length !== location.length || crcOf([bytes]) !== location.crc) {
      this.#forget(key, location, 'damaged');
      throw new DamagedBlockError(`block ${rawCid(key).toString()} is damaged on the disk`);
    }
    this.#cache.set(key, bytes);
    return bytes;
  }

  async put(cid: CID, parts: readonly Uint8Array[], crc?: number): Promise<void> {
    const key = cid.multihash.bytes;
    if (await this.#hasIntact(key)) return;
    const text = keyText(key);
    let pending = this.#pending.get(text);
    if (pending === undefined) {
      pending = this.#append(cid, key, parts, crc ?? crcOf(parts)).finally(() => this.#pending.delete(text));
      this.#pending.set(text, pending);
    }
    await pending;
  }

  async commit(): Promise<void> {
    const segments = [...this.#sealing, this.#active];
    for (const segment of segments) await segment.sync();
  }

  async delete(key: Multihash): Promise<boolean> {
    const location = this.#index.get(key);
    if (location === undefined) return false;
    this.#forget(key, location, 'removed');
    await this.#removed.append([[location.segment, location.offset]]);
    return true;
  }

  async *keys(): AsyncIterable<Multihash> {
    yield* this.#index.keys();
  }

  begin(): Session {
    return this.#sessions.begin();
  }

  async *sweep(mark: () => Promise<IsLive>, progress?: Progress): AsyncIterable<Multihash> {
    const endSweep = this.#sessions.beginSweep();
    try {
      yield* this.#sweep(await mark(), progress);
    } finally {
      endSweep();
    }
  }

  async *#sweep(isLive: IsLive, progress?: Progress): AsyncIterable<Multihash> {
    const total = this.#index.size;
    let done = 0;
    const dead: { key: Multihash; at: [number, number] }[] = [];
    for (const key of this.#index.keys()) {
      progress?.(++done, total * 2);
      const location = isLive(key) || this.#sessions.keeps(key) ? undefined : this.#index.get(key);
      if (location === undefined) continue;
      this.#forget(key, location, 'removed');
      dead.push({ key, at: [location.segment, location.offset] });
      if (dead.length >= SWEEP_BATCH) yield* await this.#recordRemoved(dead.splice(0));
    }
    yield* await this.#recordRemoved(dead.splice(0));
    const segments = [...this.#segments.values()];
    for (const [index, segment] of segments.entries()) {
      progress?.(total + Math.round((total * (index + 1)) / segments.length), total * 2);
      if (segment.deadBytes < segment.size * COMPACT_ABOVE) continue;
      if (segment === this.#active) await this.#roll();
      if (!segment.active) await this.#compact(segment);
    }
  }

  async *verify(progress?: Progress): AsyncIterable<CID> {
    const total = this.#index.size;
    let done = 0;
    for (const segment of [...this.#segments.values()]) {
      const broken: CID[] = [];
      await scanLive(segment, this.#index, this.#options.warn, (record) => {
        progress?.(++done, total);
        if (!recordIntact(record)) broken.push(rawCid(record.cid.multihash.bytes));
      });
      for (const cid of broken) {
        const location = this.#index.get(cid.multihash.bytes);
        if (location?.segment === segment.id) this.#forget(cid.multihash.bytes, location, 'damaged');
        yield cid;
      }
    }
  }

  stat(): Promise<StoreStat> {
    let storedBytes = this.#removed.size;
    for (const segment of this.#segments.values()) storedBytes += segment.size;
    return Promise.resolve({
      blocks: this.#index.size,
      blockBytes: this.#blockBytes,
      storedBytes,
      damaged: this.#damaged,
      path: this.#directory,
    });
  }

  check(): Promise<void> {
    const { failure } = this.#active;
    return failure === undefined ? Promise.resolve() : Promise.reject(failure);
  }

  async close(): Promise<void> {
    await this.#rolling;
    for (const segment of this.#segments.values()) await segment.close();
    await this.#removed.close();
  }

  async #recordRemoved(dead: readonly { key: Multihash; at: [number, number] }[]): Promise<Multihash[]> {
    await this.#removed.append(dead.map(({ at }) => at));
    return dead.map(({ key }) => key);
  }

  #segmentAt(id: number): SegmentFile {
    const segment = this.#segments.get(id);
    if (segment === undefined) throw new Error(`segment ${id} is gone`);
    return segment;
  }

  /** Whether the block is stored and its bytes are still right, so that a copy need not be written. */
  async #hasIntact(key: Multihash): Promise<boolean> {
    if (this.#index.get(key) === undefined) return false;
    try {
      return (await this.get(key)) !== undefined;
    } catch (error) {
      if (error instanceof DamagedBlockError) return false;
      throw error;
    }
  }

  /** Forgets the block at this place, unless it is not there any more: who looked it up may come late. */
  #forget(key: Multihash, location: Location, why: 'damaged' | 'removed'): void {
    if (!this.#isAt(key, location)) return;
    this.#index.delete(key);
    this.#cache.delete(key);
    this.#release(location);
    if (why === 'removed') return;
    this.#damaged++;
    this.#options.warn(`block ${rawCid(key).toString()} is damaged in segment ${location.segment}`);
  }

  async #append(cid: CID, key: Multihash, parts: readonly Uint8Array[], crc: number): Promise<void> {
    const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
    const segment = await this.#writable();
    const location = await segment.append(recordHead(cid, length), parts, key, crc);
    this.#place(key, location);
  }

  #isAt(key: Multihash, { segment, offset }: Location): boolean {
    const now = this.#index.get(key);
    return now?.segment === segment && now.offset === offset;
  }

  #place(key: Multihash, location: Location): void {
    const older = this.#index.get(key);
    if (older !== undefined) this.#release(older);
    this.#index.set(key, location);
    this.#blockBytes += location.length;
    this.#segmentAt(location.segment).liveBlocks++;
  }

  #release(location: Location): void {
    const segment = this.#segmentAt(location.segment);
    segment.liveBlocks--;
    segment.deadBytes += location.length;
    this.#blockBytes -= location.length;
  }

  async #writable(): Promise<SegmentFile> {
    while (this.#active.size >= this.#options.segmentBytes) await this.#roll();
    return this.#active;
  }

  #roll(): Promise<void> {
    this.#rolling ??= this.#startSegment(this.#active.id + 1, this.#active).finally(() => {
      this.#rolling = undefined;
    });
    return this.#rolling;
  }

  async #startSegment(id: number, previous: SegmentFile): Promise<void> {
    const next = await SegmentFile.openActive(this.#directory, id, 0, [], this.#options.durable);
    await syncDirectory(this.#directory);
    this.#segments.set(id, next);
    this.#sealing.add(previous);
    this.#active = next;
    await previous.seal();
    this.#sealing.delete(previous);
  }

  /** Moves the live blocks of a sealed segment to the active one and removes its files. */
  async #compact(segment: SegmentFile): Promise<void> {
    const moved: { record: { cid: CID; data: Buffer }; from: Location }[] = [];
    const flush = async () => {
      for (const { record, from } of moved.splice(0)) await this.#move(record, from);
    };
    await scanLive(segment, this.#index, this.#options.warn, async (record, from) => {
      if (crcOf([record.data]) !== from.crc) this.#forget(record.cid.multihash.bytes, from, 'damaged');
      else moved.push({ record: { cid: record.cid, data: Buffer.from(record.data) }, from });
      if (moved.length >= 16) await flush();
    });
    await flush();
    await this.commit();
    if (segment.liveBlocks > 0) {
      this.#options.warn(`segment ${segment.id} is kept: ${segment.liveBlocks} of its blocks could not be moved`);
      return;
    }
    this.#segments.delete(segment.id);
    await segment.retire();
  }

  async #move(record: { cid: CID; data: Buffer }, from: Location): Promise<void> {
    const key = record.cid.multihash.bytes;
    const target = await this.#writable();
    const to = await target.append(recordHead(record.cid, record.data.length), [record.data], key, from.crc);
    if (this.#isAt(key, from)) {
      this.#place(key, to);
      return;
    }
    // Deleted or stored anew while it was being copied: the copy is dead from the start.
    target.deadBytes += record.data.length;
    await this.#removed.append([[to.segment, to.offset]]);
  }

  #adopt({ segment, entries }: RecoveredSegment, removed: ReadonlySet<string>): void {
    this.#segments.set(segment.id, segment);
    for (const { key, location } of entries) {
      const isRemoved = removed.has(`${location.segment},${location.offset}`);
      if (isRemoved || location.offset + location.length > segment.size) segment.deadBytes += location.length;
      else this.#place(key, location);
    }
  }
}
