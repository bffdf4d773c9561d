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

/** A map, list or tag that is being read: tokens or groups of tokens it has, Infinity where a break ends it. */
type Level = { readonly items: number; readonly isMap: boolean; read: number };

/** Follows the tokens of a node, as far as it may go. */
export class NodeBounds {
  readonly #levels: Level[] = [];
  #values = 0;

  /**
   * @throws RangeError when a token begins one level too many, or is one value too many, or ends what it cannot end:
   * the decoder would take a break for a value, and go on where these levels are over.
   */
  take({ type, value }: Token): void {
    if (Type.equals(type, Type.break)) {
      const ended = this.#levels.pop();
      if (ended?.items !== Infinity || (ended.isMap && ended.read % 2 === 1))
        throw new RangeError('a break stands where a value is expected');
    } else {
      const isMap = Type.equals(type, Type.map);
      const isContainer = isMap || Type.equals(type, Type.array);
      if ((this.#values += isContainer ? CONTAINER : 1) > MOST_VALUES)
        throw new RangeError(`it has more than ${MOST_VALUES} values, maps and lists counted as ${CONTAINER}`);
      const items = isContainer ? (value as number) * (isMap ? 2 : 1) : Number(Type.equals(type, Type.tag));
      if (items > 0) {
        if (this.#levels.push({ items, isMap, read: 0 }) > MOST_LEVELS)
          throw new RangeError(`it is nested too deeply: more than ${MOST_LEVELS} levels`);
        return;
      }
    }
    for (let last = this.#levels.at(-1); last !== undefined; last = this.#levels.at(-1)) {
      if (++last.read < last.items) return;
      this.#levels.pop();
    }
  }
}
