import { keyText } from './blockIndex';
import { type Multihash } from './store';

/** The most recently read small blocks. Whoever gets one must not change its bytes. */
export class ReadCache {
  readonly #blocks = new Map<string, Uint8Array>();
  readonly #capacity: number;
  readonly #largest: number;
  #bytes = 0;

  /** @param capacity bytes of blocks to keep; blocks over a 64th of it are not kept. */
  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#largest = capacity / 64;
  }

  get(key: Multihash): Uint8Array | undefined {
    const text = keyText(key);
    const found = this.#blocks.get(text);
    if (found !== undefined) {
      this.#blocks.delete(text);
      this.#blocks.set(text, found);
    }
    return found;
  }

  set(key: Multihash, block: Uint8Array): void {
    if (block.length > this.#largest) return;
    this.delete(key);
    // A copy of what shares its memory with its neighbours: it would keep theirs, too.
    this.#blocks.set(keyText(key), block.length < block.buffer.byteLength ? Uint8Array.from(block) : block);
    this.#bytes += block.length;
    for (const [text, oldest] of this.#blocks) {
      if (this.#bytes <= this.#capacity) break;
      this.#blocks.delete(text);
      this.#bytes -= oldest.length;
    }
  }

  delete(key: Multihash): void {
    const text = keyText(key);
    const found = this.#blocks.get(text);
    if (found === undefined) return;
    this.#blocks.delete(text);
    this.#bytes -= found.length;
  }
}
