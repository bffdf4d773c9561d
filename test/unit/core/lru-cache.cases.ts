import { LruCache } from '../../../src/core/lru-cache';

it('holds the values that were used last, read or written', () => {
  const recent = new LruCache<string, number>(2);
  recent.set('a', 1);
  recent.set('b', 2);
  expect(recent.get('a')).toBe(1);
  recent.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual([1, undefined, 3]);
});

it('replaces a value without dropping another', () => {
  const recent = new LruCache<string, number>(2);
  recent.set('a', 1);
  recent.set('b', 2);
  recent.set('b', 3);
  expect(['a', 'b'].map((key) => recent.get(key))).toEqual([1, 3]);
});
