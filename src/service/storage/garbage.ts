import { type CID } from 'multiformats/cid';
import { keyText } from './blocks/blockIndex';
import { type BlockStore, type Multihash, type Progress } from './blocks/store';
import { blockLoader, type LoadBlock } from './dag/blockReader';
import { walkDag } from './dag/walk';
import { CommandError } from './errors';
import { type Pin, type PinBook, type PinMode } from './pins';

/** The blocks one operation works with; garbage collection keeps them until `end`. */
export type Session = {
  /** Keeps the block from now on. */
  readonly touch: (key: Multihash) => void;
  readonly end: () => void;
};

const IGNORE = () => undefined;
const UNBOUNDED = { depth: Number.MAX_SAFE_INTEGER, blocks: Number.MAX_SAFE_INTEGER };

/**
 * Removes blocks that nothing needs. A block stays when it is reachable from a pin (of any tenant) or when an operation
 * touched it that was under way at any time during the collection: such an operation may be about to pin it.
 */
export class GarbageCollector {
  readonly #store: BlockStore;
  readonly #pins: PinBook;
  readonly #sessions = new Set<Set<string>>();
  /** Keys touched since the running collection began. */
  #touched: Set<string> | undefined;

  constructor(store: BlockStore, pins: PinBook) {
    this.#store = store;
    this.#pins = pins;
  }

  begin(): Session {
    const keys = new Set<string>();
    this.#sessions.add(keys);
    return {
      touch: (key) => {
        const text = keyText(key);
        keys.add(text);
        this.#touched?.add(text);
      },
      end: () => this.#sessions.delete(keys),
    };
  }

  /**
   * Collects. Yields the key of each removed block.
   *
   * @throws CommandError when a collection is running.
   */
  async *collect(progress?: Progress): AsyncGenerator<Multihash> {
    if (this.#touched !== undefined) throw new CommandError('a garbage collection is already running');
    const touched = new Set<string>();
    this.#touched = touched;
    try {
      for (const keys of this.#sessions) for (const key of keys) touched.add(key);
      const reachable = await this.#reachable();
      const isLive = (key: Multihash) => {
        const text = keyText(key);
        return reachable.has(text) || touched.has(text);
      };
      yield* this.#store.sweep(isLive, progress);
    } finally {
      this.#touched = undefined;
    }
  }

  /** Whether a pin of any tenant keeps the block, and how. */
  async protection(cid: CID): Promise<PinMode | 'indirect' | undefined> {
    const key = keyText(cid.multihash.bytes);
    for (const pin of this.#pins.all()) {
      if (keyText(pin.cid.multihash.bytes) === key) return pin.mode;
    }
    return (await findHolder([...this.#pins.all()], cid, blockLoader(this.#store))) === undefined
      ? undefined
      : 'indirect';
  }

  /** Keys of every block some pin needs. What lies below a hole in a pinned DAG is out of reach of the pin, too. */
  async #reachable(): Promise<Set<string>> {
    const seen = new Set<string>();
    const direct = new Set<string>();
    const load = blockLoader(this.#store);
    for (const { cid, mode } of [...this.#pins.all()]) {
      if (mode === 'direct') direct.add(keyText(cid.multihash.bytes));
      else for await (const visit of walkDag(cid, load, UNBOUNDED, { seen, onUnreadable: IGNORE })) void visit;
    }
    for (const key of direct) seen.add(key);
    return seen;
  }
}

/** The first recursive pin of `pins` that has `cid` below it. */
export async function findHolder(pins: readonly Pin[], cid: CID, load: LoadBlock): Promise<Pin | undefined> {
  const key = keyText(cid.multihash.bytes);
  const seen = new Set<string>();
  for (const pin of pins) {
    if (pin.mode !== 'recursive') continue;
    for await (const visit of walkDag(pin.cid, load, UNBOUNDED, { seen, onUnreadable: IGNORE })) {
      if (visit.links.some((link) => keyText(link.cid.multihash.bytes) === key)) return pin;
    }
  }
  return undefined;
}
