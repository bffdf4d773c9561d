import { keyText, type Multihash } from './block-store';

/** Records the blocks that one request uses, until `end`. */
type Uses = { readonly add: (key: Multihash) => void; readonly end: () => void };

/** The blocks that requests of this process use. A collection keeps them, and a removal refuses to remove them. */
export class BlocksInUse {
  readonly #sessions = new Set<Set<string>>();
  readonly #trackers = new Set<Set<string>>();

  /** @param onNew - Called for each key that is remembered from then on. */
  begin(onNew: () => void): Uses {
    const keys = new Set<string>();
    this.#sessions.add(keys);
    return {
      add: (key) => {
        const text = keyText(key);
        if (keys.has(text)) return;
        onNew();
        keys.add(text);
        for (const tracked of this.#trackers) tracked.add(text);
      },
      end: () => {
        this.#sessions.delete(keys);
      },
    };
  }

  /**
   * Begins to record what is used.
   *
   * @returns Whether a request that was in progress at the time of the call, or began after it, has used a block; and
   * how to stop recording.
   */
  track(): { readonly has: (key: Multihash) => boolean; readonly end: () => void } {
    const used = new Set<string>([...this.#sessions].flatMap((keys) => [...keys]));
    this.#trackers.add(used);
    return {
      has: (key) => used.has(keyText(key)),
      end: () => {
        this.#trackers.delete(used);
      },
    };
  }
}
