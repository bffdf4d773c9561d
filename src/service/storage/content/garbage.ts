import { type CID } from 'multiformats/cid';
import { type Charge } from '../../admission/charge';
import { Share } from '../../admission/share';
import { keyText } from '../store/block-store';
import { type BlockStore, type IsLive, type Multihash, type Progress } from '../store/block-store';
import { type Cancellation } from './cancellation';
import { blockLoader } from './block-reader';
import { hasLinks, linksOf } from './codecs';
import { Visited } from './visited';
import { knownLinks, unlimited, walk, type Walker } from './walk';
import { CommandError, GivenUpError } from '../errors';
import { type Pin, type PinStore, type PinMode } from '../store/pin-store';

/** How a collection ended: `stopped` if its request did, and how many blocks it removed. */
export type Collected = {
  readonly outcome: 'done' | 'stopped' | 'failed';
  readonly milliseconds: number;
  readonly blocks: number;
};

const NOTHING = new Uint8Array(0);
/** Pins that are walked at once: reading from a bucket is mostly waiting. */
const PINS_AT_ONCE = 8;

/** An operator's work takes turns with that of others, and what it remembers has no limit. */
const operators = (charge: Charge): Charge => ({
  memory: new Share(),
  yield: (bytes) => charge.yield(bytes),
  reading: () => charge.reading(),
});

/** Called for a lost block below a recursive pin. */
type OnHole = (lost: CID, pin: CID) => void;

type CollectOptions = {
  readonly progress?: Progress;
  readonly cancellation?: Cancellation;
  /** Of the request; an operator's work has no limit of memory. */
  readonly charge: Charge;
  readonly onHole?: OnHole;
};

/**
 * Removes unneeded blocks. A block stays if it is reachable from a pin of any tenant, or if an operation that was in
 * progress at any time during the collection touched it, since that operation may be about to pin it.
 */
export class GarbageCollector {
  readonly #store: BlockStore;
  readonly #pins: PinStore;
  readonly #onEnd: (collected: Collected) => void;

  /** @param onEnd - Called at the end of each collection. */
  constructor(store: BlockStore, pins: PinStore, onEnd: (collected: Collected) => void = () => undefined) {
    this.#store = store;
    this.#pins = pins;
    this.#onEnd = onEnd;
  }

  /**
   * Runs a collection. Yields the key of each removed block.
   *
   * @param options.cancellation stops the collection if its request is cancelled; removed blocks stay removed.
   * @param options.onHole called for blocks of pinned DAGs that are missing or unreadable and may have had links.
   * Without it, such a block ends the collection before anything is removed, because what is reachable only through it
   * may still be needed.
   * @throws CommandError if a collection is already running, or for such a block.
   */
  async *collect({ progress, cancellation, charge, onHole }: CollectOptions): AsyncGenerator<Multihash> {
    const began = performance.now();
    let blocks = 0;
    let outcome: Collected['outcome'] = 'stopped';
    const removed = this.#store.sweep(
      () => this.#reachable(operators(charge), cancellation, onHole),
      progress,
      () => cancellation?.throwIfCancelled(),
    );
    try {
      for await (const key of removed) {
        blocks++;
        yield key;
      }
      outcome = 'done';
    } catch (error) {
      if (!(error instanceof GivenUpError)) outcome = 'failed';
      throw error;
    } finally {
      this.#onEnd({ outcome, milliseconds: performance.now() - began, blocks });
    }
  }

  /**
   * Removes one block; resolves to whether it existed.
   *
   * @throws CommandError if a pin of any tenant needs it, or a request is using it.
   */
  remove(cid: CID, charge: Charge, cancellation?: Cancellation): Promise<boolean> {
    return this.#store.delete(cid.multihash.bytes, async () => {
      const mode = await this.#holdingMode(cid, operators(charge), cancellation);
      if (mode !== undefined)
        throw new CommandError(mode === 'indirect' ? 'pinned via another pin' : `pinned: ${mode}`);
    });
  }

  /** How a pin holds the block. */
  async #holdingMode(cid: CID, charge: Charge, cancellation?: Cancellation): Promise<PinMode | 'indirect' | undefined> {
    const key = keyText(cid.multihash.bytes);
    for await (const pin of this.#pins.list(charge)) {
      cancellation?.throwIfCancelled();
      if (keyText(pin.cid.multihash.bytes) === key) return pin.mode;
    }
    const load = blockLoader(this.#store, { charge, ...(cancellation && { cancellation }) });
    const holder = await findHolder(this.#pins.list(charge), cid, unlimited(load, charge));
    return holder === undefined ? undefined : 'indirect';
  }

  /** Every block that a pin needs. Blocks below a hole in a pinned DAG cannot be distinguished from unneeded ones. */
  async #reachable(charge: Charge, cancellation?: Cancellation, onHole?: OnHole): Promise<IsLive> {
    const roots = new Set<string>();
    const visited = new Visited();
    const load = blockLoader(this.#store, { charge, ...(cancellation && { cancellation }) });
    // Nothing is below the others, and whether they are there makes no difference.
    const walker = unlimited((cid) => (hasLinks(cid) ? load(cid) : Promise.resolve(NOTHING)), charge);
    // Every block of a pin that is made meanwhile is used by the request that makes it.
    const pins = this.#pins.list(charge)[Symbol.asyncIterator]();
    let hasFailed = false;
    const mark = async () => {
      for (let next = await pins.next(); next.done !== true && !hasFailed; next = await pins.next()) {
        const { cid, mode } = next.value;
        roots.add(keyText(cid.multihash.bytes));
        if (mode === 'direct') continue;
        const onLost = (lost: CID) => {
          if (onHole !== undefined) onHole(lost, cid);
          else
            throw new CommandError(
              `nothing is removed: ${lost.toString()}, below the pin ${cid.toString()}, is missing or unreadable`,
            );
        };
        for await (const visit of walk({ cid }, knownLinks, walker, { visited, onLost })) {
          void visit;
          if (hasFailed) return;
        }
      }
    };
    const marks = Array.from({ length: PINS_AT_ONCE }, () =>
      mark().catch((error: unknown) => {
        hasFailed = true;
        throw error;
      }),
    );
    await Promise.allSettled(marks);
    await Promise.all(marks);
    return (key) => visited.holds(key) || roots.has(keyText(key));
  }
}

/** The first recursive pin of `pins` that has `cid` below it; what is missing below a pin is passed over. */
export async function findHolder(pins: AsyncIterable<Pin>, cid: CID, walker: Walker): Promise<Pin | undefined> {
  const key = keyText(cid.multihash.bytes);
  const visited = new Visited(walker.charge.memory);
  const read = (step: { readonly cid: CID }, bytes: Uint8Array) => {
    const links = linksOf(step.cid, bytes);
    return {
      node: links.some((link) => keyText(link.cid.multihash.bytes) === key),
      below: links.filter((link) => hasLinks(link.cid)),
    };
  };
  for await (const pin of pins) {
    if (pin.mode !== 'recursive' || !hasLinks(pin.cid)) continue;
    for await (const { node: holdsIt } of walk({ cid: pin.cid }, read, walker, { visited, onLost: () => undefined })) {
      if (holdsIt) return pin;
    }
  }
  return undefined;
}
