import { type Token, Type } from 'cborg';

/**
 * Maximum nesting of maps, lists and tags in one node. The engine's own limit varies from process to process, and
 * within one; a node that can be pinned must be readable by every later garbage collection.
 */
const MOST_LEVELS = 1024;

/**
 * Maximum number of values in one node, which is kept in memory: one byte of a block may be a map, which takes two
 * hundred.
 */
const MOST_VALUES = 1 << 20;
/** How many values a map or a list counts as. */
const CONTAINER = 4;

/** A map, list or tag being read: its number of tokens or token groups, Infinity for an indefinite length. */
type Level = { readonly items: number; readonly isMap: boolean; read: number };

/** Counts the tokens of a node and enforces its bounds. */
export class NodeBounds {
  readonly #levels: Level[] = [];
  #values = 0;

  /**
   * @throws RangeError if a token starts one level too many, is one value too many, or is a misplaced break: the
   * decoder would accept a break as a value, and continue after these levels have ended.
   */
  take({ type, value }: Token): void {
    if (Type.equals(type, Type.break)) {
      const ended = this.#levels.pop();
      if (ended?.items !== Infinity || (ended.isMap && ended.read % 2 === 1))
        throw new RangeError('found a break where a value is expected');
    } else {
      const isMap = Type.equals(type, Type.map);
      const isContainer = isMap || Type.equals(type, Type.array);
      if ((this.#values += isContainer ? CONTAINER : 1) > MOST_VALUES)
        throw new RangeError(`more than ${MOST_VALUES} values (maps and lists count as ${CONTAINER})`);
      const items = isContainer ? (value as number) * (isMap ? 2 : 1) : Number(Type.equals(type, Type.tag));
      if (items > 0) {
        if (this.#levels.push({ items, isMap, read: 0 }) > MOST_LEVELS)
          throw new RangeError(`nested too deeply: more than ${MOST_LEVELS} levels`);
        return;
      }
    }
    for (let last = this.#levels.at(-1); last !== undefined; last = this.#levels.at(-1)) {
      if (++last.read < last.items) return;
      this.#levels.pop();
    }
  }
}
