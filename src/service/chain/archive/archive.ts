import { statSync } from 'node:fs';

import { makeDirectory } from '../../runtime/directory';
import { LruCache } from '../../runtime/lru-cache';
import { flatten, sameHash, toBigInt, toHex } from './bytes';
import { openSegments, ranges, type Range } from './catalog';
import { Descriptors } from './descriptors';
import { HashIndex, hashPrefix } from './hash-index';
import type { Hash } from './hashing';
import { readHeader } from './header';
import { readHash, readHashes, readRecord, SUM_BYTES, type Segment } from './segment';
import { uncleHeaders, uncleJson } from './uncle';

/** Segments kept open at once. */
const OPEN_FILES = 256;

/** Uncles cached as JSON in each of two generations, 1.5 KB each on mainnet: about 12 MB in total. */
const RECENT = 4096;
/**
 * Characters of the longest cached uncle, since other networks may allow an `extraData` of 64 KB. The cache takes at
 * most 32 MB.
 */
const LONGEST = 4096;
/** Upper bound for a block's uncles: the count is one byte of its record. */
const POSITIONS = 256;

/** A block that the archive covers. */
export type ArchivedBlock = { number: number; uncleCount: number };

/** The loaded state; replaced as a whole when the folder changes. */
type State = {
  modified: number;
  segments: readonly Segment[];
  /** Descriptors of these segments, not of later files with the same names. */
  files: Descriptors;
  /** Total difficulty of the block before each segment; undefined if unknown. */
  bases: readonly (bigint | undefined)[];
  index: HashIndex;
  covered: readonly Range[];
  complete: boolean;
  /** JSON of recently requested uncles. */
  recent: LruCache<number, string>;
};

/** The segment that covers a block, with the inputs of total difficulties. */
type Found = { segment: Segment; base: bigint | undefined; before: Segment | undefined };

export type ArchiveOptions = {
  dir: string;
  keccak: Hash;
  /** The network's last block that could have uncles; undefined if not known. */
  lastPowBlock: number | undefined;
};

/** Index of the last element at or before `number`; -1 if there is none. */
function floorIndex(length: number, startOf: (i: number) => number, number: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (startOf(middle) <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function baseDifficulties(segments: readonly Segment[]): (bigint | undefined)[] {
  const bases: (bigint | undefined)[] = [];
  segments.forEach(({ info }, i) => {
    const before = segments[i - 1]?.info;
    const base = bases[i - 1];
    if (info.base !== null) bases.push(BigInt(info.base));
    else if (info.start === 0) bases.push(0n);
    else if (before && base !== undefined && before.end + 1 === info.start)
      bases.push(base + BigInt(before.sums.at(-1) as string));
    else bases.push(undefined);
  });
  return bases;
}

/** Hashes of the blocks with uncles, if the archive is complete; otherwise of all blocks. */
function indexOf(segments: readonly Segment[], files: Descriptors, complete: boolean): HashIndex {
  const entries = segments.reduce((sum, { info }) => sum + (complete ? info.records : info.end - info.start + 1), 0);
  const pairs = new Uint32Array(2 * entries);
  let at = 0;
  for (const segment of segments) {
    const hashes = readHashes(segment, files.get(segment.path));
    const { start, end } = segment.info;
    const count = complete ? segment.numbers.length : end - start + 1;
    for (let i = 0; i < count; i++) {
      const number = complete ? (segment.numbers[i] as number) : start + i;
      pairs[at++] = number;
      pairs[at++] = hashPrefix(hashes, 32 * (number - start));
    }
  }
  return new HashIndex(pairs);
}

/**
 * Reads uncles from an archive's segments. Memory: 16 bytes per block with uncles if the archive is complete (23 MB for
 * all of mainnet); until then 8 bytes more for every covered block, so that a hash can be recognized as covered.
 */
export class Archive {
  readonly #options: ArchiveOptions;
  #state: State;
  /** Modification time of the folder at the last check. */
  #seen = 0;

  /** @throws {ArchiveError} If a segment is damaged. */
  constructor(options: ArchiveOptions) {
    this.#options = options;
    this.#state = this.#load();
  }

  /** The covered ranges, in order. */
  get covered(): readonly Range[] {
    return this.#state.covered;
  }

  /** Whether the archive covers every block that could have uncles. */
  get complete(): boolean {
    return this.#state.complete;
  }

  /** Memory used by the indexes, in bytes. */
  get indexBytes(): number {
    const { segments, index } = this.#state;
    return segments.reduce((sum, { numbers, offsets }) => sum + numbers.byteLength + offsets.byteLength, index.bytes);
  }

  get uncles(): number {
    return this.#state.segments.reduce((sum, { info }) => sum + info.uncles, 0);
  }

  #load(): State {
    const { dir, lastPowBlock } = this.#options;
    makeDirectory(dir);
    // Read before the segments, so that a segment added in between is noticed at the next check.
    const { mtimeMs: modified } = statSync(dir);
    const segments = openSegments(dir);
    const covered = ranges(segments.map(({ info }) => info));
    const first = covered[0];
    const complete = lastPowBlock !== undefined && first !== undefined && first.start <= 1 && first.end >= lastPowBlock;
    const bases = baseDifficulties(segments);
    const files = new Descriptors(OPEN_FILES);
    try {
      const index = indexOf(segments, files, complete);
      return { modified, segments, files, bases, covered, complete, index, recent: new LruCache(RECENT) };
    } catch (error) {
      files.closeAll();
      throw error;
    }
  }

  /**
   * Checks the folder and loads newly imported segments, once the folder has not changed between two checks: an import
   * adds segments constantly, and each would require reloading the whole index.
   *
   * @returns Whether anything was loaded.
   * @throws {ArchiveError} If a new segment is damaged; the archive keeps its previous state.
   */
  refresh(): boolean {
    const { mtimeMs } = statSync(this.#options.dir);
    const still = mtimeMs === this.#seen;
    this.#seen = mtimeMs;
    if (!still || mtimeMs === this.#state.modified) return false;
    const { segments: before, files } = this.#state;
    this.#state = this.#load();
    files.closeAll();
    const { segments } = this.#state;
    return (
      segments.length !== before.length ||
      segments.some(({ path, info }, i) => path !== before[i]?.path || info.lastHash !== before[i].info.lastHash)
    );
  }

  #segmentOf(number: number): Found | undefined {
    const { segments, bases } = this.#state;
    const i = floorIndex(segments.length, (k) => (segments[k] as Segment).info.start, number);
    const segment = segments[i];
    if (!segment || number > segment.info.end) return undefined;
    return { segment, base: bases[i], before: segments[i - 1] };
  }

  #fileOf({ path }: Segment): number {
    return this.#state.files.get(path);
  }

  #recordOf({ numbers }: Segment, number: number): number {
    const i = floorIndex(numbers.length, (k) => numbers[k] as number, number);
    return numbers[i] === number ? i : -1;
  }

  /** @returns The hash of a block; undefined if the archive does not cover it. */
  hashOf(number: number): Uint8Array | undefined {
    const found = this.#segmentOf(number);
    return found && readHash(found.segment, this.#fileOf(found.segment), number);
  }

  /** @returns The hash of a covered block, or of one whose successor is covered; undefined for any other. */
  provenHash(number: number): string | undefined {
    const hash = this.hashOf(number);
    if (hash) return toHex(hash);
    const after = this.#segmentOf(number + 1)?.segment.info;
    return after?.start === number + 1 ? after.parentHash : undefined;
  }

  /** @returns Whether the archive covers the block. */
  covers(number: number): boolean {
    return this.#segmentOf(number) !== undefined;
  }

  /**
   * @param number - Number of a block.
   * @returns The block; undefined if the archive does not cover it.
   */
  block(number: number): ArchivedBlock | undefined {
    const found = this.#segmentOf(number);
    if (!found) return undefined;
    const record = this.#recordOf(found.segment, number);
    if (record < 0) return { number, uncleCount: 0 };
    const { sums } = readRecord(found.segment, this.#fileOf(found.segment), record);
    return { number, uncleCount: sums.length / SUM_BYTES };
  }

  /**
   * @param hash - 32 bytes; compared in full.
   * @returns The number of the block; undefined if the hash is not in the index. A complete archive indexes only the
   * blocks that have uncles.
   */
  numberOf(hash: Uint8Array): number | undefined {
    return this.#state.index.candidates(hash).find((number) => {
      const found = this.hashOf(number);
      return found !== undefined && sameHash(found, hash);
    });
  }

  /**
   * @param number - Number of a block that the archive covers.
   * @param position - Position of the uncle in the block's list, from 0.
   * @param withTotalDifficulty - Whether to compute it: the total difficulty of the uncle's parent plus the uncle's own
   * difficulty.
   * @returns The uncle as JSON; null if the block has none at this position.
   */
  uncle(number: number, position: number, withTotalDifficulty: boolean): string | null {
    if (position >= POSITIONS) return null;
    const { recent } = this.#state;
    const key = 2 * (POSITIONS * number + position) + Number(withTotalDifficulty);
    const known = recent.get(key);
    if (known !== undefined) return known;
    const uncle = this.#read(number, position, withTotalDifficulty);
    if (uncle === null) return null;
    const whole = flatten(uncle);
    if (whole.length <= LONGEST) recent.set(key, whole);
    return whole;
  }

  #read(number: number, position: number, withTotalDifficulty: boolean): string | null {
    const found = this.#segmentOf(number);
    const record = found ? this.#recordOf(found.segment, number) : -1;
    if (!found || record < 0) return null;
    const { sums, list } = readRecord(found.segment, this.#fileOf(found.segment), record);
    const header = uncleHeaders(list)[position];
    if (!header) return null;
    const total = withTotalDifficulty ? this.#totalDifficulty(found, header, sums, position) : null;
    return uncleJson(header, this.#options.keccak, total);
  }

  #totalDifficulty({ base, before }: Found, header: Uint8Array, sums: Uint8Array, position: number): bigint | null {
    const sum = toBigInt(sums.subarray(SUM_BYTES * position, SUM_BYTES * (position + 1)));
    if (sum > 0n) return base === undefined ? null : base + sum;
    // The uncle's parent is among the last blocks of the previous segment.
    const { number, parentHash, difficulty } = readHeader(header);
    const parent = number - 1;
    const base0 = this.#segmentOf(parent)?.base;
    const parentSum = before?.info.sums[before.info.sums.length - 1 - (before.info.end - parent)];
    const hash = this.hashOf(parent);
    if (base0 === undefined || parentSum === undefined || !hash || !sameHash(hash, parentHash)) return null;
    return base0 + BigInt(parentSum) + difficulty;
  }

  close(): void {
    this.#state.files.closeAll();
  }
}
