import { keyText } from './block-index';
import { type Multihash } from './store';

type Kept = {
  readonly block: Uint8Array;
  /** Whether it was read since it was last put at the end. */
  isRead: boolean;
};

/**
 * The most recently read small blocks. Whoever gets one must not change its bytes.
 *
 * One that is read is marked, and put at the end when its turn comes to go (second chance). To put it there at once would
 * change the map at each read: every few changes V8 makes a new table for it, which stays until all memory is collected.
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
    // A copy of what shares its memory with its neighbours: it would keep theirs, too.
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
