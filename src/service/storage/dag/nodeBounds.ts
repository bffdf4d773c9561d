import { type Token, Type } from 'cborg';

/**
 * Maps, lists and tags within each other in one node. What the engine itself allows changes from one process to the next,
 * and within one: a node that could be pinned has to be read by every later collection of garbage.
 */
const MOST_LEVELS = 1024;

/** Values of one node, which is held whole: a byte of a block may be a map, which takes two hundred in memory. */
const MOST_VALUES = 1 << 20;
/** How many values a map or a list counts as. */
const CONTAINER = 4;

/** Follows the tokens of a node, as far as it may go. */
export class NodeBounds {
  /** Tokens or groups of tokens that are still to come on each level; Infinity where a token ends it. */
  readonly #left: number[] = [];
  #values = 0;

  /** @throws RangeError when a token begins one level too many, or is one value too many. */
  take({ type, value }: Token): void {
    const isMap = Type.equals(type, Type.map);
    const isContainer = isMap || Type.equals(type, Type.array);
    const isBreak = Type.equals(type, Type.break);
    if (!isBreak && (this.#values += isContainer ? CONTAINER : 1) > MOST_VALUES)
      throw new RangeError(`it has more than ${MOST_VALUES} values, maps and lists counted as ${CONTAINER}`);
    const items = isContainer ? (value as number) * (isMap ? 2 : 1) : Number(Type.equals(type, Type.tag));
    if (items > 0) {
      if (this.#left.push(items) > MOST_LEVELS)
        throw new RangeError(`it is nested too deeply: more than ${MOST_LEVELS} levels`);
      return;
    }
    if (isBreak) this.#left.pop();
    for (let last = this.#left.length - 1; last >= 0; last--) {
      const left = (this.#left[last] ?? 0) - 1;
      this.#left[last] = left;
      if (left > 0) return;
      this.#left.pop();
    }
  }
}
