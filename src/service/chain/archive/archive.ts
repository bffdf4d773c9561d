import { statSync } from 'node:fs';

import { makeDirectory } from '../../runtime/directory';
import { Recent } from '../../runtime/lru-cache';
import { inOnePiece, sameHash, toBigInt } from './bytes';
import { openSegments, ranges, type Range } from './catalog';
import { Descriptors } from './descriptors';
import { HashIndex, hashPrefix } from './hash-index';
import type { Hash } from './hashing';
import { readHeader } from './header';
import { readHash, readHashes, readRecord, SUM_BYTES, type Segment } from './segment';
import { uncleHeaders, uncleJson } from './uncle';

/** Segments kept open at once. */
const OPEN_FILES = 256;

/** Uncles in each of two generations that are kept as JSON, 1.5 KB each on the main chain: together about 12 MB. */
const RECENT = 4096;
/** Characters of the longest that are kept: other networks may let `extraData` be 64 KB long. So 32 MB are the most. */
const LONGEST = 4096;
/** No block's list has more: the count is one byte of its record. */
const POSITIONS = 256;

/** A block that the archive covers. */
export type ArchivedBlock = { number: number; uncleCount: number };

/** What was loaded at one moment; replaced as a whole when the folder changes. */
type State = {
  modified: number;
  segments: readonly Segment[];
  /** Of the segments: not of files that came later under their names. */
  files: Descriptors;
  /** Total difficulty of the block before each segment; undefined where it is not known. */
  bases: readonly (bigint | undefined)[];
  index: HashIndex;
  covered: readonly Range[];
  complete: boolean;
  /** JSON of uncles that were asked for lately. */
  recent: Recent<number, string>;
};

/** The segment that covers a block, with what total difficulties need. */
type Found = { segment: Segment; base: bigint | undefined; before: Segment | undefined };

export type ArchiveOptions = {
  dir: string;
  keccak: Hash;
  /** The network's last block that could have uncles; undefined if not known. */
  lastPowBlock: number | undefined;
};

/** The last element that is not after `number`; -1 if all are. */
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

/** Hashes of the blocks with uncles; unless the archive is complete, of all blocks. */
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
 * Reads uncles from an archive's segments. Memory: 16 bytes a block with uncles when the archive is complete (23 MB for
 * all of mainnet); until then 8 bytes more for every block covered, so that a hash can be told to be covered.
 */
export class Archive {
  readonly #options: ArchiveOptions;
  #state: State;
  /** When the folder was last changed, as of the last look. */
  #seen = 0;

  /** @throws {ArchiveError} If a segment is damaged. */
  constructor(options: ArchiveOptions) {
    this.#options = options;
    this.#state = this.#load();
  }

  /** The blocks covered, in order. */
  get covered(): readonly Range[] {
    return this.#state.covered;
  }

  /** Whether every block that could have uncles is covered. */
  get complete(): boolean {
    return this.#state.complete;
  }

  /** Bytes of memory that the indexes take. */
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
    // Before the segments: one that arrives in between is then seen at the next look.
    const { mtimeMs: modified } = statSync(dir);
    const segments = openSegments(dir);
    const covered = ranges(segments.map(({ info }) => info));
    const first = covered[0];
    const complete = lastPowBlock !== undefined && first !== undefined && first.start <= 1 && first.end >= lastPowBlock;
    const bases = baseDifficulties(segments);
    const files = new Descriptors(OPEN_FILES);
    try {
      const index = indexOf(segments, files, complete);
      return { modified, segments, files, bases, covered, complete, index, recent: new Recent(RECENT) };
    } catch (error) {
      files.closeAll();
      throw error;
    }
  }

  /**
   * Looks at the folder again and takes up what was imported since, once it has been still between two looks: an
   * import adds a segment every moment, and each would mean to load all of the index again.
   *
   * @returns Whether anything was taken up.
   * @throws {ArchiveError} If a new segment is damaged; the archive then goes on with what it had.
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

  /** @returns Whether the archive covers the block. */
  covers(number: number): boolean {
    return this.#segmentOf(number) !== undefined;
  }

  /**
   * @param number - Of a block.
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
   * @param hash - 32 bytes; compared as a whole.
   * @returns The number of the block; undefined if the archive has no block of that hash in its index. A complete
   * archive knows only the blocks that have uncles.
   */
  numberOf(hash: Uint8Array): number | undefined {
    return this.#state.index.candidates(hash).find((number) => {
      const found = this.hashOf(number);
      return found !== undefined && sameHash(found, hash);
    });
  }

  /**
   * @param number - Of a block that the archive covers.
   * @param position - Of the uncle in the block's list, from 0.
   * @param withTotalDifficulty - Whether to compute it: total difficulty of the uncle's parent plus its own difficulty.
   * @returns The uncle as JSON; null if the block has none there.
   */
  uncle(number: number, position: number, withTotalDifficulty: boolean): string | null {
    if (position >= POSITIONS) return null;
    const { recent } = this.#state;
    const key = 2 * (POSITIONS * number + position) + Number(withTotalDifficulty);
    const known = recent.get(key);
    if (known !== undefined) return known;
    const uncle = this.#read(number, position, withTotalDifficulty);
    if (uncle === null) return null;
    const whole = inOnePiece(uncle);
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
    // The uncle's parent lies in the segment before, among its last blocks.
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
