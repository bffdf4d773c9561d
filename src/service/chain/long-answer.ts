import { type Extent, JsonScan, type Scanned } from './json-scan';
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

const MEMBERS = ['id', 'result', 'error', 'error.code', 'error.message', 'error.data'] as const;
export type AnswerMember = (typeof MEMBERS)[number];

const isMember = (name: string | undefined): name is AnswerMember => MEMBERS.some((each) => each === name);

/** An answer is nested more deeply than it may be. */
export class NestingError extends Error {
  override name = 'NestingError';
}

/**
 * Reads an answer that is too long to be parsed in one piece. It is copied into blocks of one size, whatever the pieces
 * are in which it comes, and each block is checked in a turn of the event loop of its own.
 */
export class LongAnswerReader {
  readonly #next: () => Promise<void>;
  readonly #scan: JsonScan;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** Of duplicate members the last, as in JSON.parse. */
  readonly #members = new Map<AnswerMember, Extent>();
  #isObject = false;
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
    this.#scan = new JsonScan({
      depth: 2,
      levels: maxDepth,
      refuse: (_limit, most) => new NestingError(`more than ${most} levels`),
      ended: (value) => {
        this.#note(value);
      },
    });
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
    this.#decode();
    this.#scan.finish();
    if (!this.#isObject) return undefined;
    const error = this.#members.get('error') ?? { from: 0, end: 0 };
    const extentOf = (name: AnswerMember): Extent | undefined => {
      const found = this.#members.get(name);
      // Those of an error that a later one replaces are not in it.
      return found && (!name.startsWith('error.') || (found.from > error.from && found.end < error.end))
        ? found
        : undefined;
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
    this.#decode(block);
    this.#scan.push(block.toString('latin1'));
  }

  /** @throws {SyntaxError} If it is not UTF-8; without a block, if the text ends within a character. */
  #decode(block?: Buffer): void {
    try {
      this.#utf8.decode(block, { stream: block !== undefined });
    } catch (error) {
      throw new SyntaxError('not UTF-8', { cause: error });
    }
  }

  #note({ depth, name, kind, from, end }: Scanned): void {
    if (depth === 0) this.#isObject = kind === 'object';
    const isOfError = depth === 2 && this.#scan.begun(1)?.name === 'error';
    const member = isOfError ? `error.${name}` : depth === 1 ? name : undefined;
    // Anything else is not kept: there may be very many.
    if (isMember(member)) this.#members.set(member, { from, end });
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
