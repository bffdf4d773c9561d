import { type CID } from 'multiformats/cid';
import { crcOf } from '../blocks/crc';
import { rawCid } from '../blocks/raw-cid';
import { ReadCache } from '../blocks/read-cache';
import { COMPACT_ABOVE, decodeIndex, type IndexRecord } from '../blocks/segment';
import {
  type BlockStore,
  DamagedBlockError,
  type IsLive,
  type Multihash,
  type Progress,
  type Session,
  type StoreStat,
} from '../blocks/store';
import { matches } from '../hashes';
import { type PackedSegment, packSegment, type PendingBlock } from './batch';
import { type Bucket } from './bucket';
import { removeObjects, removeOrphans } from './orphans';
import { carKey, indexKey, SEGMENTS } from './segment-keys';
import { type Place, type SegmentSize, type SharedIndex, type Sweep } from './shared-index';
import { uniqueName } from './unique-name';
import { SegmentWriter } from './writer';

export type ObjectStoreOptions = {
  /** Size in bytes at which a segment is sent without waiting for more. */
  readonly segmentBytes: number;
  /** Memory for caching small blocks, in bytes. */
  readonly cacheBytes: number;
  /** Called on damage and on repairs. */
  readonly warn: (message: string) => void;
};

/** How often to repeat the lookup of a block that has moved meanwhile. */
const LOOKUPS = 3;

/** A segment below this share of the usual size is small. */
const SMALL_BELOW = 0.125;

type LiveBlock = { readonly block: PendingBlock; readonly place: Place };

/**
 * Blocks in packed segments in an object store, shared by several processes: segments in the bucket, block locations in
 * Redis.
 *
 * Crash safety: a segment and its index are in the bucket before its blocks are registered, and registered before any
 * client is told "stored". Nothing is ever overwritten. Whatever Redis loses is rebuilt from the indexes in the bucket.
 */
export class ObjectBlockStore implements BlockStore {
  readonly #bucket: Bucket;
  readonly #index: SharedIndex;
  readonly #options: ObjectStoreOptions;
  readonly #writer: SegmentWriter;
  readonly #cache: ReadCache;
  #damaged = 0;
  #reclaimedBytes = 0;
  /** Settled once the index has every segment; renewed on reconnecting to Redis. */
  #ready: Promise<void> = Promise.resolve();

  private constructor(bucket: Bucket, index: SharedIndex, options: ObjectStoreOptions) {
    this.#bucket = bucket;
    this.#index = index;
    this.#options = options;
    this.#cache = new ReadCache(options.cacheBytes);
    this.#writer = new SegmentWriter(options.segmentBytes, (name, segment) => this.#storeSegment(name, segment));
  }

  /**
   * Opens the store, and adds missing entries to the index.
   *
   * @throws ObjectStoreError, IndexUnavailableError if the bucket or the index is unavailable.
   */
  static async open(bucket: Bucket, index: SharedIndex, options: ObjectStoreOptions): Promise<ObjectBlockStore> {
    const store = new ObjectBlockStore(bucket, index, options);
    await store.#reconcile();
    index.onReconnect(() => {
      store.#prepare();
    });
    return store;
  }

  async has(key: Multihash): Promise<boolean> {
    return (await this.sizeOf(key)) !== undefined;
  }

  async sizeOf(key: Multihash): Promise<number | undefined> {
    return this.#writer.find(key)?.bytes.length ?? (await this.#find(key))?.length;
  }

  async get(key: Multihash): Promise<Uint8Array | undefined> {
    const pending = this.#writer.find(key);
    if (pending !== undefined) return pending.bytes;
    let last: Place | undefined;
    for (let attempt = 0; attempt < LOOKUPS; attempt++) {
      // Not from the cache alone: another process may have removed the block.
      const place = await this.#find(key);
      if (place === undefined) return undefined;
      const bytes = this.#cache.get(key) ?? (await this.#bucket.get(carKey(place.segment), place));
      if (bytes !== undefined && bytes.length === place.length && crcOf([bytes]) === place.crc) {
        this.#cache.set(key, bytes);
        return bytes;
      }
      // A sweep of another process moves blocks and then removes their old segment.
      if (last !== undefined && place.segment === last.segment && place.offset === last.offset) {
        await this.#forgetDamaged(key, place);
        throw new DamagedBlockError(`block ${rawCid(key).toString()} is damaged in the object store`);
      }
      last = place;
    }
    throw new DamagedBlockError(`block ${rawCid(key).toString()} is being moved`);
  }

  async put(cid: CID, parts: readonly Uint8Array[]): Promise<void> {
    if (await this.has(cid.multihash.bytes)) return;
    const bytes = Buffer.concat(parts);
    await this.#writer.add(cid, bytes, crcOf([bytes]));
  }

  commit(): Promise<void> {
    return this.#writer.commit();
  }

  async delete(key: Multihash, mayGo: () => Promise<void> = () => Promise.resolve()): Promise<boolean> {
    await this.#ready;
    const wasThere = await this.#index.remove(key, async () => {
      await mayGo();
      // A block still being sent would be registered later.
      if (this.#writer.find(key) !== undefined) await this.#writer.commit();
    });
    this.#cache.delete(key);
    return wasThere;
  }

  async *keys(): AsyncIterable<Multihash> {
    await this.#ready;
    for await (const page of this.#index.keys()) yield* page;
  }

  begin(): Session {
    const session = this.#index.begin();
    return {
      touch: async (key) => {
        await this.#ready;
        if (await session.touch(key)) return;
        // What the process keeps is touched again together with it.
        this.#prepare();
        await this.#ready;
      },
      end: session.end,
    };
  }

  async *sweep(mark: () => Promise<IsLive>, progress?: Progress): AsyncIterable<Multihash> {
    await this.#current();
    const sweep = await this.#index.beginSweep();
    try {
      const isLive = await mark();
      const total = await this.#index.count();
      let done = 0;
      for await (const page of this.#index.keys()) {
        const removed = await sweep.remove(page.filter((key) => !isLive(key)));
        for (const key of removed) this.#cache.delete(key);
        yield* removed;
        done += page.length;
        progress?.(Math.min(done, total), total * 2);
      }
      await removeOrphans(this.#bucket, this.#index, sweep);
      const groups = await this.#wasteful();
      for (const [position, group] of groups.entries()) {
        await this.#compact(group, sweep);
        progress?.(total + Math.round((total * (position + 1)) / groups.length), total * 2);
      }
    } finally {
      await sweep.end();
    }
  }

  async *verify(progress?: Progress): AsyncIterable<CID> {
    await this.#ready;
    const total = await this.#index.count();
    let done = 0;
    for (const { segment, bytes } of await this.#index.segments()) {
      const car = await this.#bucket.get(carKey(segment));
      const records = await this.#readIndex(segment);
      // It was damaged when it was read before: what is intact now is found again, and the rest is given up.
      if (await this.#index.isDamaged(segment)) {
        const intact = records.filter((record) => isIntactIn(car, record));
        await this.#index.register(segment, bytes, intact);
        await this.#index.giveUpDamaged(segment);
      }
      for (const record of records) {
        const place = await this.#index.find(record.key);
        if (place?.segment !== segment || place.offset !== record.offset) continue;
        progress?.(++done, total);
        if (isIntactIn(car, record)) continue;
        await this.#forgetDamaged(record.key, place);
        yield rawCid(record.key);
      }
    }
  }

  async stat(): Promise<StoreStat> {
    await this.#ready;
    const [blocks, segments] = await Promise.all([this.#index.count(), this.#index.segments()]);
    return {
      blocks,
      blockBytes: segments.reduce((sum, { liveBytes }) => sum + liveBytes, 0),
      storedBytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
      reclaimedBytes: this.#reclaimedBytes,
      damaged: this.#damaged,
      path: this.#bucket.name,
    };
  }

  async check(): Promise<void> {
    await this.#current();
    await Promise.all([this.#index.count(), this.#bucket.get('segments/none')]);
  }

  async close(): Promise<void> {
    await this.#ready.catch(() => undefined);
    await this.#index.close();
  }

  /** Checks the index again if Redis has lost it without a new connection. */
  async #current(): Promise<void> {
    await this.#ready;
    if (!(await this.#index.hasRun())) this.#prepare();
    await this.#ready;
  }

  async #find(key: Multihash): Promise<Place | undefined> {
    await this.#ready;
    return this.#index.find(key);
  }

  async #storeSegment(name: string, { car, index, records }: PackedSegment): Promise<void> {
    await Promise.all([this.#bucket.put(carKey(name), car), this.#bucket.put(indexKey(name), index)]);
    await this.#ready;
    if (!(await this.#index.register(name, car.length, records))) throw new Error(`segment ${name} was removed`);
  }

  #prepare(): void {
    this.#ready = this.#reconcile();
    // Whoever needs the index sees the failure; the next connection tries again.
    this.#ready.catch((error: unknown) => {
      this.#options.warn(`the block index could not be checked: ${String(error)}`);
    });
  }

  /**
   * Registers segments that are in the bucket but not in the index: Redis lost them, or a process died before
   * registering.
   */
  async #reconcile(): Promise<void> {
    const objects = new Set<string>();
    for await (const key of this.#bucket.list(SEGMENTS)) objects.add(key);
    // Complete ones only: a process may have died while sending one. The latest first, since blocks were moved there.
    const stored = [...objects]
      .filter((key) => key.endsWith('.index'))
      .map((key) => key.slice(SEGMENTS.length, -'.index'.length))
      .filter((segment) => objects.has(carKey(segment)))
      .reverse();
    await this.#index.beginRun(stored.length > 0);
    const known = new Set((await this.#index.segments()).map(({ segment }) => segment));
    let added = 0;
    for (const segment of stored.filter((each) => !known.has(each))) {
      const index = await this.#decoded(segment);
      if (index !== undefined && (await this.#index.register(segment, index.covered, index.records))) added++;
    }
    if (added > 0) this.#options.warn(`${added} segments were added to the block index`);
  }

  async #decoded(segment: string) {
    const bytes = await this.#bucket.get(indexKey(segment));
    const index = bytes && decodeIndex(bytes);
    if (bytes !== undefined && index === undefined) {
      this.#options.warn(`the index of segment ${segment} is damaged: its blocks are not used`);
    }
    return index;
  }

  async #readIndex(segment: string): Promise<readonly IndexRecord[]> {
    return (await this.#decoded(segment))?.records ?? [];
  }

  /** Segments with much dead data, and small ones, in groups that make one segment each. */
  async #wasteful(): Promise<SegmentSize[][]> {
    const { segmentBytes } = this.#options;
    const isDead = ({ bytes, liveBytes }: SegmentSize) => liveBytes === 0 || liveBytes < bytes * (1 - COMPACT_ABOVE);
    const groups: SegmentSize[][] = [[]];
    let groupBytes = 0;
    for (const each of await this.#index.segments()) {
      if (!isDead(each) && each.bytes >= segmentBytes * SMALL_BELOW) continue;
      if (groupBytes + each.liveBytes > segmentBytes) {
        groups.push([]);
        groupBytes = 0;
      }
      groups.at(-1)?.push(each);
      groupBytes += each.liveBytes;
    }
    // A single small segment cannot be improved.
    return groups.filter((group) => group.length > 1 || group.some(isDead));
  }

  /** Moves the live blocks of some segments to a new one, and removes the old ones. */
  async #compact(group: readonly SegmentSize[], sweep: Sweep): Promise<void> {
    const blocks: LiveBlock[] = [];
    for (const { segment, liveBytes } of group) if (liveBytes > 0) blocks.push(...(await this.#liveBlocks(segment)));
    if (blocks.length > 0) {
      const name = uniqueName();
      const { car, index, records } = packSegment(blocks.map(({ block }) => block));
      await sweep.reserve(name);
      await Promise.all([this.#bucket.put(carKey(name), car), this.#bucket.put(indexKey(name), index)]);
      const moved = records.flatMap((record, position) => {
        const from = blocks[position]?.place;
        return from === undefined ? [] : [{ record, from }];
      });
      await sweep.move(name, car.length, moved);
      this.#reclaimedBytes -= car.length;
    }
    for (const { segment, bytes } of group) {
      if (await sweep.drop(segment)) {
        this.#reclaimedBytes += bytes;
        await removeObjects(this.#bucket, segment);
      } else this.#options.warn(`segment ${segment} is kept: not all of its blocks could be moved`);
    }
  }

  async #liveBlocks(segment: string): Promise<LiveBlock[]> {
    const car = await this.#bucket.get(carKey(segment));
    const live: LiveBlock[] = [];
    for (const record of await this.#readIndex(segment)) {
      const place = await this.#index.find(record.key);
      if (place?.segment !== segment || place.offset !== record.offset) continue;
      const bytes = car?.subarray(place.offset, place.offset + place.length);
      if (bytes?.length !== place.length || crcOf([bytes]) !== place.crc) {
        await this.#forgetDamaged(record.key, place);
        continue;
      }
      // The codec of the original CID is not needed, because blocks are found by multihash.
      live.push({ block: { cid: rawCid(record.key), bytes, crc: place.crc }, place });
    }
    return live;
  }

  async #forgetDamaged(key: Multihash, place: Place): Promise<void> {
    this.#cache.delete(key);
    if (!(await this.#index.forgetDamaged(key, place))) return;
    this.#damaged++;
    this.#options.warn(`block ${rawCid(key).toString()} is damaged in segment ${place.segment}`);
  }
}

/** Whether a segment holds the right bytes of a block. */
function isIntactIn(car: Uint8Array | undefined, { key, offset, length }: IndexRecord): boolean {
  const bytes = car?.subarray(offset, offset + length);
  try {
    return bytes?.length === length && matches(rawCid(key).multihash, bytes);
  } catch {
    return false;
  }
}
