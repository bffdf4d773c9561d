import { sameHash, toBytes32, toHex } from './bytes';
import { FormatError } from './errors';
import type { Hash } from './hashing';
import { readHeader, type HeaderView } from './header';
import { SUM_BYTES, type SegmentContent } from './segment';
import { quantity, uncleHeaders } from './uncle';

/** An uncle is at most six blocks older than the block that includes it, so its parent at most seven. */
const WINDOW = 8;

export type Block = {
  /** RLP of the header. The builder does not keep it. */
  header: Uint8Array;
  /** RLP of the uncle list; called only if the header says that there are uncles. */
  uncles: () => Uint8Array;
  /** As stated by the source; undefined if it does not state one. */
  totalDifficulty?: bigint | undefined;
};

/** The last block of a run, which the next one must follow. */
export type Ending = { number: number; hash: Uint8Array };

export type BuilderOptions = {
  keccak: Hash;
  emptyUnclesHash: Uint8Array;
  source: string;
  /** Number that the first block must have; undefined: any. */
  start?: number | undefined;
  /** The block before, if it was read from the same source. */
  previous?: Ending | undefined;
};

/**
 * Takes a run of consecutive blocks, checks that each follows the previous one and that every uncle list matches its
 * header's hash, and keeps what a segment needs. Memory: 32 bytes per block and about 600 per uncle.
 */
export class SegmentBuilder {
  readonly #keccak: Hash;
  readonly #emptyUnclesHash: Uint8Array;
  readonly #source: string;
  readonly #hashes: Uint8Array[] = [];
  readonly #numbers: number[] = [];
  readonly #offsets: number[] = [0];
  readonly #data: Uint8Array[] = [];
  #uncleCount = 0;
  #start: number | undefined;
  #parentHash: Uint8Array | undefined;
  readonly #before: Ending | undefined;
  /** Total difficulty of the block before the first; undefined if the source does not state any. */
  #base: bigint | undefined;
  /** Difficulty summed from the first block on, for the last blocks, oldest first. */
  readonly #sums: bigint[] = [0n];

  constructor({ keccak, emptyUnclesHash, source, start, previous }: BuilderOptions) {
    this.#keccak = keccak;
    this.#emptyUnclesHash = emptyUnclesHash;
    this.#source = source;
    this.#start = start;
    this.#before = previous;
  }

  get blocks(): number {
    return this.#hashes.length;
  }

  /** The number the next block must have; undefined if any is allowed. */
  get next(): number | undefined {
    return this.#start === undefined ? undefined : this.#start + this.#hashes.length;
  }

  /**
   * Adds the next block.
   *
   * @param block - Its header and, on demand, its uncles.
   * @returns The block's hash.
   * @throws {FormatError} If it is malformed, does not follow the previous block, or its uncles do not match its
   * header.
   */
  add({ header, uncles, totalDifficulty }: Block): Uint8Array {
    const view = readHeader(header);
    this.#follow(view);
    const hash = this.#keccak(header);
    this.#sum(view, totalDifficulty);
    if (!sameHash(view.unclesHash, this.#emptyUnclesHash)) this.#record(view, uncles());
    this.#hashes.push(hash);
    return hash;
  }

  #follow({ number, parentHash }: HeaderView): void {
    const expected = this.next ?? (this.#before && this.#before.number + 1);
    if (expected !== undefined && number !== expected)
      throw new FormatError(`block ${number}: expected block ${expected}`);
    const parent = this.#hashes.at(-1) ?? this.#before?.hash;
    if (parent && !sameHash(parent, parentHash))
      throw new FormatError(`block ${number}: parent hash does not match block ${number - 1}`);
    this.#start ??= number;
    this.#parentHash ??= Uint8Array.from(parentHash);
  }

  #sum({ number, difficulty }: HeaderView, stated: bigint | undefined): void {
    const sum = (this.#sums.at(-1) as bigint) + difficulty;
    if (stated !== undefined) this.#base ??= stated - sum;
    if (stated !== undefined && stated !== (this.#base as bigint) + sum)
      throw new FormatError(`block ${number}: total difficulty is not its parent's plus its own difficulty`);
    this.#sums.push(sum);
    if (this.#sums.length > WINDOW) this.#sums.shift();
  }

  #record({ number, unclesHash }: HeaderView, list: Uint8Array): void {
    if (!sameHash(this.#keccak(list), unclesHash))
      throw new FormatError(`block ${number}: uncles do not match the hash in its header`);
    const headers = uncleHeaders(list);
    if (headers.length === 0 || headers.length > 255)
      throw new FormatError(`block ${number}: invalid number of uncles (${headers.length})`);
    const record = new Uint8Array(1 + SUM_BYTES * headers.length + list.length);
    record[0] = headers.length;
    headers.forEach((header, i) => {
      record.set(toBytes32(this.#uncleSum(readHeader(header), number)), 1 + SUM_BYTES * i);
    });
    record.set(list, record.length - list.length);
    this.#numbers.push(number);
    this.#data.push(record);
    this.#offsets.push((this.#offsets.at(-1) as number) + record.length);
    this.#uncleCount += headers.length;
  }

  /** Difficulty summed up to an uncle of block `number`; 0 if the uncle's parent is before this run. */
  #uncleSum(uncle: HeaderView, number: number): bigint {
    if (uncle.number > number) throw new FormatError(`block ${number}: an uncle is newer than the block`);
    // The last sum belongs to block `number` itself.
    const parent = this.#sums.at(uncle.number - 1 - number - 1);
    const first = this.#start as number;
    const parentHash = uncle.number === first ? this.#parentHash : this.#hashes[uncle.number - 1 - first];
    return parent === undefined || !parentHash || !sameHash(parentHash, uncle.parentHash)
      ? 0n
      : parent + uncle.difficulty;
  }

  /** @returns The last block so far; undefined if there is none. */
  ending(): Ending | undefined {
    const hash = this.#hashes.at(-1);
    if (!hash || this.#start === undefined) return undefined;
    return { number: this.#start + this.#hashes.length - 1, hash };
  }

  /**
   * @param accumulator - Root of the source's accumulator, if it has one.
   * @returns The segment to write.
   * @throws {FormatError} If there was no block.
   */
  finish(accumulator: Uint8Array | null): SegmentContent {
    const ending = this.ending();
    if (!ending || this.#start === undefined || !this.#parentHash) throw new FormatError('contains no block');
    return {
      info: {
        start: this.#start,
        end: ending.number,
        records: this.#numbers.length,
        uncles: this.#uncleCount,
        dataBytes: this.#offsets.at(-1) as number,
        parentHash: toHex(this.#parentHash),
        lastHash: toHex(ending.hash),
        base: this.#base === undefined ? null : quantity(this.#base),
        sums: this.#sums.slice(-Math.min(WINDOW, this.#hashes.length)).map(quantity),
        accumulator: accumulator && toHex(accumulator),
        source: this.#source,
      },
      numbers: Uint32Array.from(this.#numbers),
      offsets: Uint32Array.from(this.#offsets),
      hashes: Buffer.concat(this.#hashes),
      data: this.#data,
    };
  }
}
