import { CommandError } from '../errors';
import { keyText } from './blockIndex';
import { type Multihash, type Session } from './store';

const DONE = Promise.resolve();

/** The sessions of a store that only this process uses. */
export class LocalSessions {
  readonly #sessions = new Set<Set<string>>();
  /** Keys touched since the running sweep began, those of the sessions open at that time included. */
  #kept: Set<string> | undefined;

  begin(): Session {
    const keys = new Set<string>();
    this.#sessions.add(keys);
    return {
      touch: (key) => {
        const text = keyText(key);
        keys.add(text);
        this.#kept?.add(text);
        return DONE;
      },
      end: () => {
        this.#sessions.delete(keys);
        return DONE;
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
