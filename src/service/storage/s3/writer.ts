import { type CID } from 'multiformats/cid';
import { keyText } from '../blocks/block-index';
import { type Multihash, StoreFailedError } from '../blocks/store';
import { messageOf } from '../errors';
import { packSegment, type PackedSegment, type PendingBlock } from './batch';
import { uniqueName } from './unique-name';

/** Concurrent uploads of segments. */
const UPLOADS = 4;

/**
 * Blocks on their way to the object store: collected and sent as segments, several at a time. The content of a failed
 * upload is sent again with the next.
 */
export class SegmentWriter {
  readonly #store: (name: string, segment: PackedSegment) => Promise<void>;
  readonly #segmentBytes: number;
  /** Every block that is not stored yet. */
  readonly #pending = new Map<string, PendingBlock>();
  #open = new Map<string, PendingBlock>();
  #openBytes = 0;
  #pendingBytes = 0;
  readonly #uploads = new Set<Promise<void>>();

  /**
   * @param segmentBytes size at which a segment is sent without waiting for more.
   * @param store sends one segment; resolves once it is durable and can be found.
   */
  constructor(segmentBytes: number, store: (name: string, segment: PackedSegment) => Promise<void>) {
    this.#segmentBytes = segmentBytes;
    this.#store = store;
  }

  find(key: Multihash): PendingBlock | undefined {
    return this.#pending.get(keyText(key));
  }

  /** @throws StoreFailedError if too much data waits for an unresponsive object store. */
  async add(cid: CID, bytes: Uint8Array, crc: number): Promise<void> {
    while (this.#pendingBytes >= this.#segmentBytes * UPLOADS) {
      if (this.#uploads.size === 0) this.#upload();
      const [failure] = (await Promise.allSettled([Promise.race(this.#uploads)])).map((upload) =>
        upload.status === 'rejected' ? messageOf(upload.reason) : undefined,
      );
      if (failure !== undefined) throw new StoreFailedError(failure);
    }
    const text = keyText(cid.multihash.bytes);
    if (this.#pending.has(text)) return;
    const block = { cid, bytes, crc };
    this.#pending.set(text, block);
    this.#open.set(text, block);
    this.#openBytes += bytes.length;
    this.#pendingBytes += bytes.length;
    if (this.#openBytes >= this.#segmentBytes && this.#uploads.size < UPLOADS) this.#upload();
  }

  /** Resolves once everything added before the call is stored. Concurrent calls share segments. */
  async commit(): Promise<void> {
    // While the maximum number of uploads is running, more blocks join the next one.
    while (this.#uploads.size >= UPLOADS) await Promise.race(this.#uploads);
    if (this.#open.size > 0) this.#upload();
    await Promise.all(this.#uploads);
  }

  #upload(): void {
    const blocks = this.#open;
    this.#open = new Map();
    this.#openBytes = 0;
    const upload = this.#send(blocks).finally(() => this.#uploads.delete(upload));
    // Whoever waits for the upload sees the failure.
    upload.catch(() => undefined);
    this.#uploads.add(upload);
  }

  async #send(blocks: Map<string, PendingBlock>): Promise<void> {
    try {
      await this.#store(uniqueName(), packSegment(blocks.values()));
    } catch (error) {
      for (const [text, block] of blocks) {
        this.#open.set(text, block);
        this.#openBytes += block.bytes.length;
      }
      throw error;
    }
    for (const [text, block] of blocks) {
      this.#pending.delete(text);
      this.#pendingBytes -= block.bytes.length;
    }
  }
}
