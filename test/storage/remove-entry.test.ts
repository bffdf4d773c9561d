import { removeEntry } from '../../src/service/storage/remove-entry';

test('returns the same collection while entries remain, and a new one once it is empty', () => {
  const set = new Set(['a', 'b']);
  expect(removeEntry(set, 'a')).toBe(set);
  expect([...set]).toEqual(['b']);
  const emptied = removeEntry(set, 'b');
  expect(emptied).not.toBe(set);
  expect(emptied).toEqual(new Set());

  const map = new Map([['a', 1]]);
  expect(removeEntry(map, 'a')).toEqual(new Map());
});

test('removing a missing entry changes nothing', () => {
  const set = new Set(['a']);
  expect(removeEntry(set, 'b')).toBe(set);
  expect([...set]).toEqual(['a']);
  const none = new Map<string, number>();
  expect(removeEntry(none, 'b')).toBe(none);
});
