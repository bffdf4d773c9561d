import { CommandError } from '../errors';
import { takeOut } from '../passing';
import { keyText } from './block-index';
import { InUseError, type Multihash, type Session } from './store';

const DONE = Promise.resolve();

/** The removal of one block, under way. */
type Removal = {
  /** @throws InUseError when a session has worked with the block since the removal began, or does. */
  readonly mustBeFree: () => void;
  readonly end: () => void;
};

/** The sessions of a store that only this process uses. */
export class LocalSessions {
  #sessions = new Set<Set<string>>();
  /** Keys touched since the running sweep began, those of the sessions open at that time included. */
  #kept: Set<string> | undefined;
  /** Blocks about to be removed one by one, each with the removals that a session has not stopped. */
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
        this.#sessions = takeOut(this.#sessions, keys);
        for (const text of this.#removals.keys()) if (keys.has(text)) this.#removals.delete(text);
        return DONE;
      },
    };
  }

  /**
   * Begins to remove one block. Whether a session works with it counts from here on, also one that is over by the end: it
   * may have pinned what is about to go.
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

  /** Whether the running sweep must leave the block. */
  keeps(key: Multihash): boolean {
    return this.#kept?.has(keyText(key)) ?? false;
  }

  /**
   * Remembers what is touched until the returned function is called.
   *
   * @throws CommandError when a sweep is running.
   */
  beginSweep(): () => void {
    if (this.#kept !== undefined) throw new CommandError('a garbage collection is already running');
    this.#kept = new Set([...this.#sessions].flatMap((keys) => [...keys]));
    return () => {
      this.#kept = undefined;
    };
  }
}
