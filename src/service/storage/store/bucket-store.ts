import { type Charge } from '../../admission/charge';
import { CommandError } from '../errors';
import {
  type BlockStore,
  DamagedBlockError,
  InUseError,
  isStorable,
  type IsLive,
  type Multihash,
  type Progress,
  type Session,
  type StoreStat,
} from './block-store';
import { type Bucket, uniqueName } from './bucket';
import { type ListedObject } from './bucket-xml';
import { fileOf, keyOfFile } from './flatfs';
import { matchesKey } from './hashes';
import { LEASE_MS, Removals } from './removals';

const FOLDER = 'blocks/';
/** Blocks that were stored while their objects were being removed. */
const COPIES = 'copies/';
/** Objects that are removed under one announcement, and at once. */
const ROUND = 1000;
const AT_ONCE = 8;

/** The object of a block: the same path as its file in {@link FileStore}. */
function objectOf(key: Multihash): string {
  const { folder, file } = fileOf(key);
  return `${FOLDER}${folder}/${file}`;
}

/** The folder of further objects with the bytes of a block; each has a name that no other object ever had. */
function copiesOf(key: Multihash): string {
  const { folder, file } = fileOf(key);
  return `${COPIES}${folder}/${file}/`;
}

type BlockObject = Omit<ListedObject, 'key'> & { readonly key: Multihash; readonly name: string };

function keyOfObject(name: string): Multihash | undefined {
  const [, folder, file] = name.split('/');
  return folder === undefined || file === undefined ? undefined : keyOfFile(folder, file);
}

/**
 * Blocks as objects in a bucket, shared by every process that uses it, and nothing else: no index, no lock.
 *
 * A block may be removed if no pin needs it and its object is older than the grace time, which is longer than two
 * requests may take. Storing a block, also one that exists, makes its object new, as does {@link renew}. What is
 * acknowledged therefore stays until it is pinned, whatever another process collects. Nobody waits for a collection: if
 * an object is stored while another process may be removing it (see {@link Removals}), its bytes are stored once more,
 * as a copy under a new name. Readers that do not find the object look for copies. This needs a bucket whose reads and
 * lists show every earlier change.
 */
export class BucketStore implements BlockStore {
  readonly #bucket: Bucket;
  readonly #graceMs: number;
  readonly #removals: Removals;
  #sweeps = false;

  /** @param graceMs - Age in ms below which no object is removed. */
  constructor(bucket: Bucket, graceMs: number) {
    this.#bucket = bucket;
    this.#graceMs = graceMs;
    this.#removals = new Removals(bucket);
  }

  async has(key: Multihash): Promise<boolean> {
    return isStorable(key) && (await this.#find(key, (name) => this.#bucket.head(name))) !== undefined;
  }

  async get(key: Multihash, charge: Charge): Promise<Uint8Array | undefined> {
    if (!isStorable(key)) return undefined;
    const bytes = (await this.#find(key, (name) => this.#bucket.get(name)))?.found;
    if (bytes !== undefined && !(await matchesKey(key, bytes, charge))) throw new DamagedBlockError();
    return bytes;
  }

  async put(key: Multihash, bytes: Uint8Array): Promise<void> {
    const name = objectOf(key);
    const began = performance.now();
    await this.#bucket.put(name, bytes);
    if (await this.#removals.mayRemove(name, began)) await this.#putCopy(key, bytes);
  }

  commit(): Promise<void> {
    return Promise.resolve();
  }

  /** Objects younger than half of the grace time are new enough until the request has ended. */
  async #isNew(modified: number): Promise<boolean> {
    return modified > (await this.#bucket.now()) - this.#graceMs / 2;
  }

  /** No announcement can name the copy, because it is younger than any object that may be removed. */
  async #putCopy(key: Multihash, bytes: Uint8Array): Promise<void> {
    for await (const page of this.#bucket.pages(copiesOf(key)))
      for (const { modified } of page) if (await this.#isNew(modified)) return;
    await this.#bucket.put(`${copiesOf(key)}${uniqueName()}`, bytes);
  }

  /** The first object of a block that `look` finds. */
  async #find<T>(key: Multihash, look: (name: string) => Promise<T | undefined>) {
    const name = objectOf(key);
    const found = await look(name);
    if (found !== undefined) return { name, found };
    for await (const copy of this.#bucket.list(copiesOf(key))) {
      const copied = await look(copy);
      if (copied !== undefined) return { name: copy, found: copied };
    }
    return undefined;
  }

  async #renew(key: Multihash, charge: Charge): Promise<void> {
    if (!isStorable(key)) return;
    const began = performance.now();
    const object = await this.#find(key, (name) => this.#bucket.head(name));
    if (object === undefined) return;
    const { modified } = object.found;
    // What is older than an announcement lasts was not stored while it was being removed.
    const isSettled = modified < (await this.#bucket.now()) - LEASE_MS;
    if ((await this.#isNew(modified)) && (isSettled || !(await this.#removals.mayRemove(object.name, began)))) return;
    const bytes = await this.get(key, charge);
    if (bytes !== undefined) await this.put(key, bytes);
  }

  async delete(key: Multihash, mayGo: () => Promise<void> = () => Promise.resolve()): Promise<boolean> {
    const before = await this.#olderThan();
    await mayGo();
    const names = [objectOf(key)];
    for await (const copy of this.#bucket.list(copiesOf(key))) names.push(copy);
    const removed = await this.#removeOld(names, before);
    if (await this.has(key)) throw new InUseError();
    return removed.length > 0;
  }

  async *keys(): AsyncGenerator<Multihash> {
    for await (const { key } of this.#objects(FOLDER)) yield key;
    let last = '';
    for await (const { key } of this.#objects(COPIES)) {
      const name = objectOf(key);
      if (name !== last && (await this.#bucket.head(name)) === undefined) yield key;
      last = name;
    }
  }

  begin(): Session {
    return {
      put: (key, bytes) => this.put(key, bytes),
      keep: (key, charge) => this.#renew(key, charge),
      end: () => undefined,
    };
  }

  async *sweep(mark: () => Promise<IsLive>, progress?: Progress, onBlock?: () => void): AsyncGenerator<Multihash> {
    if (this.#sweeps) throw new CommandError('a garbage collection is already running');
    this.#sweeps = true;
    try {
      // By now: a block that a pin needs which `mark` does not see was made or renewed later.
      const before = await this.#olderThan();
      const isLive = await mark();
      const blocks = progress === undefined ? 0 : (await this.stat()).blocks;
      let done = 0;
      let dead: string[] = [];
      for await (const { key, name, modified } of this.#blocks()) {
        onBlock?.();
        progress?.(Math.min(++done, blocks), blocks);
        if (modified < before && !isLive(key)) dead.push(name);
        if (dead.length < ROUND) continue;
        yield* keysOf(await this.#removeOld(dead, before));
        dead = [];
      }
      yield* keysOf(await this.#removeOld(dead, before));
    } finally {
      this.#sweeps = false;
    }
  }

  async stat(): Promise<StoreStat> {
    const counted = { blocks: 0, blockBytes: 0 };
    for await (const { size } of this.#blocks()) {
      counted.blocks++;
      counted.blockBytes += size;
    }
    return counted;
  }

  async check(): Promise<void> {
    await this.#bucket.probe();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** All objects that hold blocks. */
  async *#blocks(): AsyncGenerator<BlockObject> {
    yield* this.#objects(FOLDER);
    yield* this.#objects(COPIES);
  }

  async *#objects(folder: string): AsyncGenerator<BlockObject> {
    for await (const page of this.#bucket.pages(folder)) {
      for (const { key: name, size, modified } of page) {
        const key = keyOfObject(name);
        if (key !== undefined) yield { key, name, size, modified };
      }
    }
  }

  /** The time before which an object must have been stored to be removed, by the clock of the bucket. */
  async #olderThan(): Promise<number> {
    return (await this.#bucket.now()) - this.#graceMs;
  }

  /** Removes those objects that are still that old. @returns Their names. */
  async #removeOld(names: readonly string[], before: number): Promise<string[]> {
    const removed: string[] = [];
    const left = [...names];
    const isOld = (object: Omit<ListedObject, 'key'> | undefined) => object !== undefined && object.modified < before;
    while (left.length > 0) {
      await this.#removals.announce([...left], async (mayBegin) => {
        const remove = async () => {
          while (mayBegin()) {
            const name = left.shift();
            if (name === undefined) return;
            if (!isOld(await this.#bucket.head(name)) || !mayBegin()) continue;
            await this.#bucket.delete(name);
            removed.push(name);
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, remove));
      });
    }
    return removed;
  }
}

function* keysOf(names: readonly string[]): Generator<Multihash> {
  for (const name of names) {
    const key = keyOfObject(name);
    if (key !== undefined) yield key;
  }
}
