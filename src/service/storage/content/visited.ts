import { type CID } from 'multiformats/cid';
import { keyText, type Multihash } from '../store/block-store';
import { hasLinks } from './codecs';
import { type Share } from '../../admission/share';
import { KEY_BYTES } from './weights';

/** A range of offsets in a file: `end` is not included. */
export type Extent = { readonly from: number; readonly end: number };

/** A block to visit. */
export type Step = {
  readonly cid: CID;
  /** Of a file: the bytes that are wanted. Each part of a node leads to other blocks. */
  readonly extent?: Extent | undefined;
  /** The block, if it was read before. */
  readonly bytes?: Uint8Array | undefined;
};

/** A block without links has no parts: nothing is below it. */
const partOf = ({ cid, extent }: Step) =>
  extent === undefined || !hasLinks(cid) ? '' : `${extent.from}-${extent.end}`;

/** The blocks that walks have visited. */
export class Visited {
  /** The part in which a block was visited first, by codec and multihash. */
  readonly #first = new Map<string, string>();
  readonly #furtherParts = new Set<string>();
  readonly #codecs = new Set<number>();
  readonly #memory: Share | undefined;

  /** @param memory - Charged for what is remembered; nothing is without it. */
  constructor(memory?: Share) {
    this.#memory = memory;
  }

  /**
   * Notes a visit. A block under two codecs counts as two, because the codecs may find different links in it.
   *
   * @returns Whether the block is new, or another part of it; undefined if nothing is.
   * @throws CommandError if the client holds too much.
   */
  note(step: Step): 'block' | 'part' | undefined {
    const { cid } = step;
    const key = `${cid.code} ${keyText(cid.multihash.bytes)}`;
    const part = partOf(step);
    const first = this.#first.get(key);
    const further = `${part} ${key}`;
    if (first === part || (first !== undefined && this.#furtherParts.has(further))) return undefined;
    this.#memory?.charge(KEY_BYTES);
    if (first !== undefined) {
      this.#furtherParts.add(further);
      return 'part';
    }
    this.#codecs.add(cid.code);
    this.#first.set(key, part);
    return 'block';
  }

  /** Whether the block was visited, under whatever codec. */
  holds(key: Multihash): boolean {
    const text = keyText(key);
    for (const codec of this.#codecs) if (this.#first.has(`${codec} ${text}`)) return true;
    return false;
  }
}
