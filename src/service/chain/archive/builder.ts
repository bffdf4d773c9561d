import { sameHash, toBytes32, toHex } from './bytes';
import { FormatError } from './errors';
import type { Hash } from './hashing';
import { readHeader, type HeaderView } from './header';
import { SUM_BYTES, type SegmentContent } from './segment';
import { quantity, uncleHeaders } from './uncle';

/** An uncle is at most six blocks older than the block that has it, so its parent at most seven. */
const WINDOW = 8;

export type Block = {
  /** RLP of the header. The builder does not keep it. */
  header: Uint8Array;
  /** RLP of the uncle list; asked for only when the header says that there are uncles. */
  uncles: () => Uint8Array;
  /** As the source states it; undefined where it does not. */
  totalDifficulty?: bigint | undefined;
};

/** The last block of a run: what the next one must follow. */
export type Ending = { number: number; hash: Uint8Array };

export type BuilderOptions = {
  keccak: Hash;
  emptyUnclesHash: Uint8Array;
  source: string;
  /** Number the first block must have; undefined: any. */
  start?: number | undefined;
  /** The block before, if it was read from the same source. */
  previous?: Ending | undefined;
};

/**
 * Takes a run of consecutive blocks, checks that each follows the one before and that every uncle list is the one its
 * header commits to, and keeps what a segment needs. Memory: 32 bytes a block and about 600 an uncle.
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
  /** Sums of difficulty since the block before the first, for the last blocks, oldest first. */
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

  /** The number the next block must have; undefined as long as any will do. */
  get next(): number | undefined {
    return this.#start === undefined ? undefined : this.#start + this.#hashes.length;
  }

  /**
   * Adds the next block.
   *
   * @param block - Its header and, on demand, its uncles.
   * @returns The block's hash.
   * @throws {FormatError} If it is malformed, does not follow the block before, or its uncles are not the header's.
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
      throw new FormatError(`block ${number} where block ${expected} belongs`);
    const parent = this.#hashes.at(-1) ?? this.#before?.hash;
    if (parent && !sameHash(parent, parentHash))
      throw new FormatError(`block ${number}: its parent hash is not the hash of block ${number - 1}`);
    this.#start ??= number;
    this.#parentHash ??= Uint8Array.from(parentHash);
  }

  #sum({ number, difficulty }: HeaderView, stated: bigint | undefined): void {
    const sum = (this.#sums.at(-1) as bigint) + difficulty;
    if (stated !== undefined) this.#base ??= stated - sum;
    if (stated !== undefined && stated !== (this.#base as bigint) + sum)
      throw new FormatError(`block ${number}: its total difficulty is not that of its parent plus its own`);
    this.#sums.push(sum);
    if (this.#sums.length > WINDOW) this.#sums.shift();
  }

  #record({ number, unclesHash }: HeaderView, list: Uint8Array): void {
    if (!sameHash(this.#keccak(list), unclesHash))
      throw new FormatError(`block ${number}: its uncles are not those its header commits to`);
    const headers = uncleHeaders(list);
    if (headers.length === 0 || headers.length > 255)
      throw new FormatError(`block ${number}: ${headers.length} uncles`);
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

  /** Sum of difficulty up to an uncle of block `number`; 0 where its parent lies before this run. */
  #uncleSum(uncle: HeaderView, number: number): bigint {
    if (uncle.number > number) throw new FormatError(`block ${number}: an uncle younger than the block`);
    // The last sum is that of block `number` itself.
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
   * @returns What to write.
   * @throws {FormatError} If there was no block.
   */
  finish(accumulator: Uint8Array | null): SegmentContent {
    const ending = this.ending();
    if (!ending || this.#start === undefined || !this.#parentHash) throw new FormatError('no block');
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
