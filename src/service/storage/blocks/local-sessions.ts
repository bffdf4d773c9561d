import { CommandError } from '../errors';
import { keyText } from './block-index';
import { InUseError, type Multihash, type Session } from './store';

const DONE = Promise.resolve();

/** The removal of one block, in progress. */
type Removal = {
  /** @throws InUseError if a session is using the block, or has used it since the removal began. */
  readonly mustBeFree: () => void;
  readonly end: () => void;
};

/** The sessions of a store that only this process uses. */
export class LocalSessions {
  readonly #sessions = new Set<Set<string>>();
  /** Keys touched since the running sweep began, including those of sessions open at that time. */
  #kept: Set<string> | undefined;
  /** Blocks about to be removed individually, each with the removals that no session has stopped. */
  readonly #removals = new Map<string, Set<symbol>>();

  begin(): Session {
    const keys = new Set<string>();
    this.#sessions.add(keys);
    return {
      touch: (key) => {
        const text = keyText(key);
        keys.add(text);
        this.#kept?.add(text);
        this.#removals.delete(text);
        return DONE;
      },
      end: () => {
        this.#sessions.delete(keys);
        for (const text of this.#removals.keys()) if (keys.has(text)) this.#removals.delete(text);
        return DONE;
      },
    };
  }

  /**
   * Begins to remove one block. From here on any use by a session counts, even if the session has ended by the time the
   * removal finishes: it may have pinned the block.
   */
  beginRemoval(key: Multihash): Removal {
    const text = keyText(key);
    const own = Symbol(text);
    const removals = this.#removals.get(text) ?? new Set();
    this.#removals.set(text, removals.add(own));
    return {
      mustBeFree: () => {
        const isTouched = [...this.#sessions].some((keys) => keys.has(text));
        if (isTouched || this.#removals.get(text)?.has(own) !== true) throw new InUseError();
      },
      end: () => {
        removals.delete(own);
        if (removals.size === 0 && this.#removals.get(text) === removals) this.#removals.delete(text);
      },
    };
  }

  /** Whether the running sweep must keep the block. */
  keeps(key: Multihash): boolean {
    return this.#kept?.has(keyText(key)) ?? false;
  }

  /**
   * Records touched keys until the returned function is called.
   *
   * @throws CommandError if a sweep is already running.
   */
  beginSweep(): () => void {
    if (this.#kept !== undefined) throw new CommandError('a garbage collection is already running');
    this.#kept = new Set([...this.#sessions].flatMap((keys) => [...keys]));
    return () => {
      this.#kept = undefined;
    };
  }
}
