import { invalidRequest, parseError } from './errors';
import { JsonScan, type Scanned } from './json-scan';

/** Levels of lists and objects: 64 for parameters, plus the request and its batch. */
export const MAX_DEPTH = 68;

/** Values in one text: about 6 ms for JSON.parse at worst. A batch of a hundred requests has a few thousand. */
export const MAX_VALUES = 20_000;

/** Bytes of a request whose parameters have a fixed size, which is every method that is answered here. */
export const SHORT_REQUEST = 1024;

/** @param items - How many a batch may have. */
export const batchTooLarge = (items: number) => invalidRequest(`batch too large, at most ${items} requests`, 413);

/** What a body may hold. */
export type ScanLimits = {
  /** Requests in one batch. */
  batchItems: number;
  /** Whether requests for a method may be longer than {@link SHORT_REQUEST}. */
  mayBeLong: (method: string) => boolean;
};

const tooMuch = (limit: 'levels' | 'values', most: number) =>
  invalidRequest(limit === 'levels' ? `nested more than ${most} levels deep` : `more than ${most} values`, 413);

/**
 * Reads the JSON of requests piece by piece, as it arrives, and refuses what would take long to parse before the rest
 * has arrived: deep nesting, very many values, a batch that is too large, and a request that is longer than its method
 * needs. Of duplicate members the last one counts, as it does for JSON.parse and for nodes in Go.
 */
export class RequestScan {
  /** Bytes of each complete request, by its position in the batch. */
  readonly lengths: number[] = [];
  readonly #limits: ScanLimits;
  readonly #scan: JsonScan;
  #length = 0;
  /** The method of the request that is arriving. */
  #method: string | undefined;

  constructor(limits: ScanLimits) {
    this.#limits = limits;
    this.#scan = new JsonScan({
      depth: 2,
      levels: MAX_DEPTH,
      values: MAX_VALUES,
      refuse: tooMuch,
      ended: (value) => {
        this.#ended(value);
      },
    });
  }

  /**
   * @param bytes - The next piece.
   * @throws {RpcError} -32600 with status 413, naming the bound; -32700 if the text is not JSON.
   */
  push(bytes: Buffer): void {
    this.#length += bytes.length;
    try {
      this.#scan.push(bytes.toString('latin1'));
    } catch (error) {
      throw error instanceof SyntaxError ? parseError() : error;
    }
    const request = this.#scan.begun(this.#level);
    if (request === undefined || (request.kind === 'object' && this.#method === undefined)) return;
    this.#check(request, this.#length);
  }

  /** The depth of requests: 1 in a batch. */
  get #level(): 0 | 1 {
    return this.#scan.begun(0)?.kind === 'list' ? 1 : 0;
  }

  #ended(value: Scanned): void {
    const level = this.#level;
    if (value.depth === level + 1 && value.name === 'method') this.#method = value.text;
    if (value.depth !== level || (level === 0 && value.kind === 'list')) return;
    this.#check(value, value.end);
    this.lengths[value.index] = value.end - value.from;
    this.#method = undefined;
  }

  /** @param end - Of what there is of the request. */
  #check({ index, from, kind }: Omit<Scanned, 'end'>, end: number): void {
    const { batchItems, mayBeLong } = this.#limits;
    if (index >= batchItems) throw batchTooLarge(batchItems);
    if (end - from <= SHORT_REQUEST) return;
    if (kind !== 'object')
      throw invalidRequest(`a request must be an object; anything else is at most ${SHORT_REQUEST} bytes long`, 413);
    if (this.#method === undefined || !mayBeLong(this.#method))
      throw invalidRequest(`a request for this method is at most ${SHORT_REQUEST} bytes long`, 413);
  }
}
