import fc from 'fast-check';

import { LruCache } from '../../../src/service/runtime/lru-cache';

test('requested entries stay, and others are evicted', () => {
  const recent = new LruCache<string, number>(2);
  recent.set('a', 1);
  recent.set('b', 2);
  recent.set('c', 3);
  expect(recent.get('a')).toBe(1);
  recent.set('d', 4);
  expect(['a', 'b', 'c', 'd'].map((key) => recent.get(key))).toEqual([1, undefined, 3, 4]);
});

test('never more than two generations, never a wrong value, and always the latest entries', () => {
  const step = fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 20 }));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 200 }), (size, steps) => {
      const recent = new LruCache<number, string>(size);
      const used: number[] = [];
      for (const [sets, key] of steps) {
        if (sets) recent.set(key, `value ${key}`);
        const found = recent.get(key);
        expect([`value ${key}`, undefined]).toContain(found);
        if (found !== undefined) used.push(key);
        expect(recent.size).toBeLessThanOrEqual(2 * size);
      }
      for (const key of [...new Set(used.reverse())].slice(0, size)) expect(recent.get(key)).toBe(`value ${key}`);
    }),
  );
});
