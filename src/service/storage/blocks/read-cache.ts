import { keyText } from './block-index';
import { type Multihash } from './store';

type Kept = {
  readonly block: Uint8Array;
  /** Whether it was read since it was last moved to the end. */
  isRead: boolean;
};

/**
 * The most recently read small blocks. Callers must not change their bytes.
 *
 * A block that is read is only marked, and moved to the end when it is about to be evicted (second chance). Moving it
 * at once would change the map on every read: every few changes V8 allocates a new table for it, which stays until the
 * next full garbage collection.
 */
export class ReadCache {
  readonly #blocks = new Map<string, Kept>();
  readonly #capacity: number;
  readonly #largest: number;
  #bytes = 0;

  /** @param capacity bytes of blocks to keep; blocks over a 64th of it are not kept. */
  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#largest = capacity / 64;
  }

  get(key: Multihash): Uint8Array | undefined {
    const kept = this.#blocks.get(keyText(key));
    if (kept === undefined) return undefined;
    kept.isRead = true;
    return kept.block;
  }

  set(key: Multihash, block: Uint8Array): void {
    if (block.length > this.#largest) return;
    this.delete(key);
    this.#makeRoom(block.length);
    // Copied if it is a view: a view would keep the memory of its neighbours alive.
    const own = block.length < block.buffer.byteLength ? Uint8Array.from(block) : block;
    this.#blocks.set(keyText(key), { block: own, isRead: false });
    this.#bytes += block.length;
  }

  delete(key: Multihash): void {
    const text = keyText(key);
    const kept = this.#blocks.get(text);
    if (kept === undefined) return;
    this.#blocks.delete(text);
    this.#bytes -= kept.block.length;
  }

  #makeRoom(bytes: number): void {
    for (const [text, oldest] of this.#blocks) {
      if (this.#bytes + bytes <= this.#capacity) break;
      this.#blocks.delete(text);
      if (oldest.isRead) this.#blocks.set(text, { block: oldest.block, isRead: false });
      else this.#bytes -= oldest.block.length;
    }
  }
}
