/**
 * Takes something out of a collection of what is there for a moment only, as requests are.
 *
 * @returns The collection to go on with: another one when nothing is left. V8 gives a set or map that has become an old object
 * a new table at every deletion that empties it, among the old objects, where it stays until all memory is collected; at
 * some thousand requests a second that is most of what a request leaves there.
 */
export function takeOut<Item>(from: Set<Item>, item: Item): Set<Item>;
export function takeOut<Key, Value>(from: Map<Key, Value>, key: Key): Map<Key, Value>;
export function takeOut<Key>(from: Set<Key> | Map<Key, unknown>, key: Key): Set<Key> | Map<Key, unknown> {
  if (from.size === 1 && from.has(key)) return from instanceof Set ? new Set() : new Map();
  from.delete(key);
  return from;
}
