import { AnswerScan, type Extent } from './answer-scan';
import { JsonPieces } from './json-text';

/** Bytes of an answer that are read, and sent on, as one piece. */
const BLOCK_BYTES = 64 << 10;

/** A whole long answer: JSON of an object. */
export type LongAnswer = {
  /** Whether it has the member; `error.` precedes those of its error. */
  readonly has: (name: AnswerMember) => boolean;
  /** A member's value; undefined if it is absent. */
  readonly value: (name: AnswerMember) => unknown;
  /** A member's text. */
  readonly pieces: (name: AnswerMember) => JsonPieces;
};

export type AnswerMember = 'id' | 'result' | 'error' | 'error.code' | 'error.message' | 'error.data';

/**
 * Reads an answer that is too long to be parsed in one piece. It is copied into blocks of one size, whatever the pieces
 * are in which it comes, and each block is checked in a turn of the event loop of its own.
 */
export class LongAnswerReader {
  readonly #next: () => Promise<void>;
  readonly #scan: AnswerScan;
  readonly #blocks: Buffer[] = [];
  /** What is left of the last block. */
  #free: Buffer = Buffer.alloc(0);
  #scanned = 0;

  /**
   * @param next - Resolves once the next block may be checked.
   * @param maxDepth - Levels of lists and objects in the whole answer.
   */
  constructor(next: () => Promise<void>, maxDepth: number) {
    this.#next = next;
    this.#scan = new AnswerScan(maxDepth);
  }

  /**
   * @param bytes - The next piece.
   * @throws {SyntaxError} If it is not JSON.
   * @throws {NestingError} If it is nested too deeply.
   */
  async add(bytes: Buffer): Promise<void> {
    for (let rest = bytes; rest.length > 0;) {
      if (this.#free.length === 0) {
        await this.#scanNext();
        this.#free = Buffer.allocUnsafeSlow(BLOCK_BYTES);
        this.#blocks.push(this.#free);
      }
      const copied = rest.copy(this.#free);
      this.#free = this.#free.subarray(copied);
      rest = rest.subarray(copied);
    }
  }

  /** @returns The answer; undefined if it is not an object. @throws {SyntaxError} Like {@link add}. */
  async finish(): Promise<LongAnswer | undefined> {
    const last = this.#blocks.pop();
    if (last !== undefined) this.#blocks.push(last.subarray(0, last.length - this.#free.length));
    await this.#scanNext();
    this.#scan.finish();
    if (!this.#scan.isObject) return undefined;
    const extentOf = (name: AnswerMember): Extent | undefined => {
      const { members, errorMembers } = this.#scan;
      return name.startsWith('error.') ? errorMembers.get(name.slice('error.'.length)) : members.get(name);
    };
    const pieces = (name: AnswerMember) => this.#piecesAt(extentOf(name));
    return {
      has: (name) => extentOf(name) !== undefined,
      value: (name) => (extentOf(name) === undefined ? undefined : pieces(name).value),
      pieces,
    };
  }

  async #scanNext(): Promise<void> {
    const block = this.#blocks[this.#scanned];
    if (block === undefined) return;
    await this.#next();
    this.#scanned += 1;
    this.#scan.push(block);
  }

  #piecesAt({ from, end }: Extent = { from: 0, end: 0 }): JsonPieces {
    const first = Math.floor(from / BLOCK_BYTES);
    const pieces = this.#blocks.slice(first, Math.ceil(end / BLOCK_BYTES)).map((block, i) => {
      const at = (first + i) * BLOCK_BYTES;
      return block.subarray(Math.max(0, from - at), end - at);
    });
    return new JsonPieces(pieces);
  }
}
