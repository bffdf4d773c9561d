/**
 * Removes an entry from a collection of short-lived entries, such as requests.
 *
 * @returns The collection to continue with: a new one if it became empty. When a deletion empties a set or map in V8's
 * old generation, V8 allocates a new table there, which stays until the next full garbage collection; at some thousand
 * requests per second that is most of what a request leaves behind.
 */
export function removeEntry<Item>(from: Set<Item>, item: Item): Set<Item>;
export function removeEntry<Key, Value>(from: Map<Key, Value>, key: Key): Map<Key, Value>;
export function removeEntry<Key>(from: Set<Key> | Map<Key, unknown>, key: Key): Set<Key> | Map<Key, unknown> {
  if (from.size === 1 && from.has(key)) return from instanceof Set ? new Set() : new Map();
  from.delete(key);
  return from;
}
