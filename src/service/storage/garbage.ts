import { type CID } from 'multiformats/cid';
import { keyText } from './blocks/blockIndex';
import { type BlockStore, type IsLive, type Multihash, type Progress } from './blocks/store';
import { type Cancellation } from './cancellation';
import { blockLoader, type LoadBlock } from './dag/blockReader';
import { hasLinks } from './dag/codecs';
import { type OnLost, reach } from './dag/reach';
import { CommandError } from './errors';
import { type Pin, type PinBook, type PinMode } from './pins/book';

/**
 * Removes blocks that nothing needs. A block stays when it is reachable from a pin (of any tenant) or when an operation
 * touched it that was under way at any time during the collection: such an operation may be about to pin it.
 */
export class GarbageCollector {
  readonly #store: BlockStore;
  readonly #pins: PinBook;

  constructor(store: BlockStore, pins: PinBook) {
    this.#store = store;
    this.#pins = pins;
  }

  /**
   * Collects. Yields the key of each removed block.
   *
   * @param cancellation ends the collection of a request that was given up; what it has removed stays removed.
   * @throws CommandError when a collection is running, or the links of a block below a pin cannot be told: what hangs on them
   *   would look as if no pin needed it. Nothing is removed then.
   */
  collect(progress?: Progress, cancellation?: Cancellation): AsyncIterable<Multihash> {
    return this.#store.sweep(
      () => this.#reachable(cancellation),
      (done, total) => {
        cancellation?.throwIfCancelled();
        progress?.(done, total);
      },
    );
  }

  /**
   * Removes one block; resolves to whether it was there.
   *
   * @throws CommandError when a pin of any tenant keeps it, or may keep it (see {@link collect}), or a request works with it.
   */
  remove(cid: CID, cancellation?: Cancellation): Promise<boolean> {
    return this.#store.delete(cid.multihash.bytes, async () => {
      const mode = await this.#holdingMode(cid, cancellation);
      if (mode !== undefined)
        throw new CommandError(mode === 'indirect' ? 'pinned via another pin' : `pinned: ${mode}`);
    });
  }

  /** How a pin keeps the block. */
  async #holdingMode(cid: CID, cancellation?: Cancellation): Promise<PinMode | 'indirect' | undefined> {
    const key = keyText(cid.multihash.bytes);
    const pins = await this.#pins.all();
    const own = pins.find((pin) => keyText(pin.cid.multihash.bytes) === key);
    if (own !== undefined) return own.mode;
    const lost = new LostLinks();
    const holder = await findHolder(pins, cid, this.#store, blockLoader(this.#store, cancellation), lost.add);
    if (holder !== undefined) return 'indirect';
    lost.throwIfAny('cannot tell whether a pin needs the block');
    return undefined;
  }

  /** Every block some pin needs. */
  async #reachable(cancellation?: Cancellation): Promise<IsLive> {
    const live = new Set<string>();
    const seen = new Set<string>();
    const lost = new LostLinks();
    const load = blockLoader(this.#store, cancellation);
    for (const { cid, mode } of await this.#pins.all()) {
      live.add(keyText(cid.multihash.bytes));
      if (mode === 'direct') continue;
      for await (const reached of reach(cid, this.#store, load, seen, lost.add)) {
        live.add(keyText(reached.cid.multihash.bytes));
      }
    }
    lost.throwIfAny('garbage collection aborted: could not retrieve some links');
    return (key) => live.has(keyText(key));
  }
}

/** Blocks below pins of which it cannot be told what hangs on them. */
class LostLinks {
  #first: string | undefined;

  readonly add = (cid: CID, reason: string): void => {
    if (hasLinks(cid)) this.#first ??= `could not retrieve links for ${cid.toString()}: ${reason}`;
  };

  throwIfAny(consequence: string): void {
    if (this.#first !== undefined) throw new CommandError(`${this.#first}; ${consequence}`);
  }
}

/** The first recursive pin of `pins` that has `cid` below it. */
export async function findHolder(
  pins: readonly Pin[],
  cid: CID,
  store: BlockStore,
  load: LoadBlock,
  onLost?: OnLost,
): Promise<Pin | undefined> {
  const key = keyText(cid.multihash.bytes);
  const seen = new Set<string>();
  for (const pin of pins) {
    if (pin.mode !== 'recursive') continue;
    for await (const { links } of reach(pin.cid, store, load, seen, onLost)) {
      if (links.some((link) => keyText(link.multihash.bytes) === key)) return pin;
    }
  }
  return undefined;
}
