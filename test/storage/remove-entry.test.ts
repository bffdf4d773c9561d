import { removeEntry } from '../../src/service/storage/remove-entry';

test('what is left stays in the same collection; when nothing is left, it is another one', () => {
  const set = new Set(['a', 'b']);
  expect(removeEntry(set, 'a')).toBe(set);
  expect([...set]).toEqual(['b']);
  const emptied = removeEntry(set, 'b');
  expect(emptied).not.toBe(set);
  expect(emptied).toEqual(new Set());

  const map = new Map([['a', 1]]);
  expect(removeEntry(map, 'a')).toEqual(new Map());
});

test('what is not there takes nothing out', () => {
  const set = new Set(['a']);
  expect(removeEntry(set, 'b')).toBe(set);
  expect([...set]).toEqual(['a']);
  const none = new Map<string, number>();
  expect(removeEntry(none, 'b')).toBe(none);
});
