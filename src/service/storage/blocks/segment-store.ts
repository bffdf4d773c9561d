import { type CID } from 'multiformats/cid';
import { makeDirectory } from '../../runtime/directory';
import { keyText, type Location } from './block-index';
import { Catalogue } from './catalogue';
import { crcOf } from './crc';
import { dropSegment, findDeadSegment } from './dead-segments';
import { isDiskFull, nothingToGiveBack } from './disk-full';
import { scanLive } from './live-scan';
import { LocalSessions } from './local-sessions';
import { rawCid } from './raw-cid';
import { ReadCache } from './read-cache';
import { type Recovered, recoverSegments } from './recovery';
import { type Placed, Removals } from './removals';
import { COMPACT_ABOVE, recordHead, recordIntact, syncDirectory } from './segment';
import { SegmentFile } from './segment-file';
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
  /** Size in bytes at which a segment is closed and the next one is started; below 4 GiB. */
  readonly segmentBytes: number;
  /** Memory for caching small blocks, in bytes. */
  readonly cacheBytes: number;
  /** Called on repairs while opening, and on damage found later. */
  readonly warn: (message: string) => void;
};

/** Deletions that a sweep makes durable together. */
const SWEEP_BATCH = 256;

/**
 * Blocks in packed, append-only segments with an index in memory.
 *
 * Crash safety: nothing is ever overwritten. Blocks are acknowledged by `commit` after `fdatasync`. On opening, data
 * that the index files do not cover is read and every block in it is checked against its hash; a torn tail is truncated
 * there. Each read checks a CRC-32 taken when the block was written, and a block that fails is forgotten, so that
 * adding it again repairs the store.
 */
export class SegmentStore implements BlockStore {
  readonly #directory: string;
  readonly #options: SegmentStoreOptions;
  readonly #catalogue = new Catalogue();
  readonly #pending = new Map<string, Promise<void>>();
  /** Blocks that a sweep is copying. */
  readonly #moving = new Map<string, Promise<void>>();
  readonly #cache: ReadCache;
  readonly #sessions = new LocalSessions();
  readonly #removals: Removals;
  #active: SegmentFile;
  #rolling: Promise<void> | undefined;
  #closes = false;
  readonly #sealing = new Set<SegmentFile>();
  #damaged: number;
  #reclaimedBytes = 0;

  private constructor(directory: string, options: SegmentStoreOptions, { active, removedJournal, damaged }: Recovered) {
    this.#directory = directory;
    this.#options = options;
    this.#active = active;
    this.#removals = new Removals(this.#catalogue, removedJournal, () => this.commit());
    this.#damaged = damaged;
    this.#cache = new ReadCache(options.cacheBytes);
  }

  /** Opens the store in `directory`, creating it if absent, and repairs what a crash left behind. */
  static async open(directory: string, options: SegmentStoreOptions): Promise<SegmentStore> {
    makeDirectory(directory);
    const recovered = await recoverSegments(directory, options);
    const store = new SegmentStore(directory, options, recovered);
    for (const segment of recovered.segments) store.#catalogue.adopt(segment, recovered.removed);
    return store;
  }

  has(key: Multihash): Promise<boolean> {
    return Promise.resolve(this.#catalogue.find(key) !== undefined);
  }

  sizeOf(key: Multihash): Promise<number | undefined> {
    return Promise.resolve(this.#catalogue.find(key)?.length);
  }

  async get(key: Multihash): Promise<Uint8Array | undefined> {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const location = this.#catalogue.find(key);
    if (location === undefined) return undefined;
    const bytes = await this.#catalogue.segmentAt(location.segment).read(location);
    if (bytes.length !== location.length || crcOf([bytes]) !== location.crc) {
      this.#forgetDamaged(key, location);
      throw new DamagedBlockError(`block ${rawCid(key).toString()} is damaged on the disk`);
    }
    // It may have been removed meanwhile.
    if (this.#catalogue.find(key) !== undefined) this.#cache.set(key, bytes);
    return bytes;
  }

  async put(cid: CID, parts: readonly Uint8Array[]): Promise<void> {
    const key = cid.multihash.bytes;
    if (await this.#hasIntact(key)) return;
    const text = keyText(key);
    let pending = this.#pending.get(text);
    if (pending === undefined) {
      pending = this.#append(cid, key, parts, crcOf(parts))
        .then(() => undefined)
        .finally(() => {
          this.#pending.delete(text);
        });
      this.#pending.set(text, pending);
    }
    await pending;
  }

  async commit(): Promise<void> {
    const segments = [...this.#sealing, this.#active];
    for (const segment of segments) await segment.sync();
  }

  async delete(key: Multihash, mayGo: () => Promise<void> = () => Promise.resolve()): Promise<boolean> {
    const removal = this.#sessions.beginRemoval(key);
    try {
      await mayGo();
      // A copy in progress would come after the removal, and take precedence.
      const text = keyText(key);
      while (this.#moving.has(text)) await this.#moving.get(text)?.catch(() => undefined);
      removal.mustBeFree();
      const location = this.#catalogue.find(key);
      if (location === undefined) return false;
      await this.#remove([{ key, location }]);
      return true;
    } finally {
      removal.end();
    }
  }

  async *keys(): AsyncIterable<Multihash> {
    yield* this.#catalogue.index.keys();
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
    for (let closes = false; ; ) {
      try {
        if (closes) await this.#roll();
        closes = false;
        yield* this.#collect(isLive, progress);
        return;
      } catch (error) {
        if (!isDiskFull(error)) throw error;
        await this.#removals.settled();
        const isNeeded = (key: Multihash) => isLive(key) || this.#sessions.keeps(key);
        const dead = findDeadSegment(this.#catalogue, isNeeded);
        if (dead === undefined || closes) throw nothingToGiveBack();
        // The active segment is closed first, which takes no space, and checked again: it may be needed by then.
        closes = dead.segment.active;
        if (closes) continue;
        // In the same step that found it.
        for (const { key } of dead.blocks) this.#cache.delete(key);
        await dropSegment(this.#catalogue, dead);
        this.#reclaimedBytes += dead.segment.size;
        if (this.#options.durable) await syncDirectory(this.#directory);
        yield* dead.blocks.map(({ key }) => key);
      }
    }
  }

  async *#collect(isLive: IsLive, progress?: Progress): AsyncIterable<Multihash> {
    const { index } = this.#catalogue;
    const total = index.size;
    let done = 0;
    const dead: Multihash[] = [];
    for (const key of index.keys()) {
      progress?.(++done, total * 2);
      if (!isLive(key)) dead.push(key);
      if (dead.length >= SWEEP_BATCH) yield* await this.#removeUnkept(dead.splice(0));
    }
    yield* await this.#removeUnkept(dead);
    // Segments with the least data to copy first: on a nearly full disk they make room for the others.
    const liveBytes = ({ size, deadBytes }: SegmentFile) => size - deadBytes;
    const segments = [...this.#catalogue.segments.values()].sort((a, b) => liveBytes(a) - liveBytes(b));
    for (const [position, segment] of segments.entries()) {
      progress?.(total + Math.round((total * (position + 1)) / segments.length), total * 2);
      if (segment.deadBytes < segment.size * COMPACT_ABOVE) continue;
      if (segment === this.#active && segment.size > 0) await this.#roll();
      if (!segment.active) await this.#compact(segment);
    }
  }

  async *verify(progress?: Progress): AsyncIterable<CID> {
    const { index, segments } = this.#catalogue;
    const total = index.size;
    let done = 0;
    for (const segment of [...segments.values()]) {
      const broken: CID[] = [];
      await scanLive(segment, index, this.#options.warn, (record) => {
        progress?.(++done, total);
        if (!recordIntact(record)) broken.push(rawCid(record.cid.multihash.bytes));
      });
      for (const cid of broken) {
        const location = this.#catalogue.find(cid.multihash.bytes);
        if (location?.segment === segment.id) this.#forgetDamaged(cid.multihash.bytes, location);
        yield cid;
      }
    }
  }

  stat(): Promise<StoreStat> {
    let storedBytes = this.#removals.bytes;
    for (const segment of this.#catalogue.segments.values()) storedBytes += segment.size;
    return Promise.resolve({
      blocks: this.#catalogue.index.size,
      blockBytes: this.#catalogue.blockBytes,
      storedBytes,
      reclaimedBytes: this.#reclaimedBytes,
      damaged: this.#damaged,
      path: this.#directory,
    });
  }

  check(): Promise<void> {
    const failure = [...this.#sealing, this.#active].find((segment) => segment.failure !== undefined)?.failure;
    return failure === undefined ? Promise.resolve() : Promise.reject(failure);
  }

  async close(): Promise<void> {
    this.#closes = true;
    // Whoever needs the next segment gets the reason why there is none.
    await this.#rolling?.catch(() => undefined);
    for (const segment of this.#catalogue.segments.values()) await segment.close();
    await this.#removals.close();
  }

  /** Removes those of the blocks that no session keeps, and returns them. */
  async #removeUnkept(keys: readonly Multihash[]): Promise<Multihash[]> {
    const dead = keys.flatMap((key) => {
      const location = this.#sessions.keeps(key) ? undefined : this.#catalogue.find(key);
      return location === undefined ? [] : [{ key, location }];
    });
    if (dead.length > 0) await this.#remove(dead);
    return dead.map(({ key }) => key);
  }

  async #remove(blocks: readonly Placed[]): Promise<void> {
    for (const { key } of blocks) this.#cache.delete(key);
    await this.#removals.remove(blocks);
  }

  /** Whether the block is stored and intact, so that it need not be written again. */
  async #hasIntact(key: Multihash): Promise<boolean> {
    if (this.#catalogue.find(key) === undefined) return false;
    try {
      return (await this.get(key)) !== undefined;
    } catch (error) {
      if (error instanceof DamagedBlockError) return false;
      throw error;
    }
  }

  #forgetDamaged(key: Multihash, location: Location): void {
    if (!this.#catalogue.forgetDamaged(key, location)) return;
    this.#cache.delete(key);
    this.#damaged++;
    this.#options.warn(`block ${rawCid(key).toString()} is damaged in segment ${location.segment}`);
  }

  /** Writes a block; resolves to the bytes that this took. */
  async #append(cid: CID, key: Multihash, parts: readonly Uint8Array[], crc: number): Promise<number> {
    const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
    const head = recordHead(cid, length);
    while (this.#active.size >= this.#options.segmentBytes) await this.#roll();
    // In the same step that checked it: a segment that is full or being sealed accepts nothing.
    this.#catalogue.place(key, await this.#active.append(head, parts, key, crc));
    return head.length + length;
  }

  #roll(): Promise<void> {
    if (this.#closes) return Promise.reject(new Error('the store is closed'));
    this.#rolling ??= this.#startSegment(this.#active.id + 1, this.#active).finally(() => {
      this.#rolling = undefined;
    });
    return this.#rolling;
  }

  async #startSegment(id: number, previous: SegmentFile): Promise<void> {
    const next = await SegmentFile.openActive(this.#directory, id, 0, [], this.#options.durable);
    try {
      await syncDirectory(this.#directory);
    } catch (error) {
      // It is opened again, empty, for the next block; it should not be sealed.
      await next.handle.close();
      throw error;
    }
    this.#catalogue.segments.set(id, next);
    this.#sealing.add(previous);
    this.#active = next;
    await previous.seal();
    this.#sealing.delete(previous);
  }

  /** Moves the live blocks of a sealed segment to the active one and deletes its files. */
  async #compact(segment: SegmentFile): Promise<void> {
    const { index, segments } = this.#catalogue;
    const live: { cid: CID; data: Buffer; from: Location }[] = [];
    let copied = 0;
    const flush = async () => {
      for (const each of live.splice(0)) copied += await this.#move(each);
    };
    await scanLive(segment, index, this.#options.warn, async ({ cid, data }, from) => {
      if (crcOf([data]) !== from.crc) this.#forgetDamaged(cid.multihash.bytes, from);
      else live.push({ cid, data: Buffer.from(data), from });
      if (live.length >= 16) await flush();
    });
    await flush();
    await this.commit();
    await this.#removals.settled();
    if (segment.liveBlocks > 0) {
      this.#options.warn(`segment ${segment.id} is kept: ${segment.liveBlocks} of its blocks could not be moved`);
      return;
    }
    for (const other of segments.values()) if (other !== segment) await this.#removals.recordSuperseded(other);
    await segment.retire();
    segments.delete(segment.id);
    this.#reclaimedBytes += segment.size - copied;
    if (this.#options.durable) await syncDirectory(this.#directory);
  }

  /** Copies a block, unless it was removed meanwhile; resolves to the bytes that the copy took. */
  async #move({ cid, data, from }: { cid: CID; data: Buffer; from: Location }): Promise<number> {
    const key = cid.multihash.bytes;
    if (!this.#catalogue.isAt(key, from)) return 0;
    let copied = 0;
    const moving = (async () => {
      copied = await this.#append(cid, key, [data], from.crc);
    })();
    this.#moving.set(keyText(key), moving);
    await moving.finally(() => this.#moving.delete(keyText(key)));
    return copied;
  }
}
