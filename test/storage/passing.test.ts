import { takeOut } from '../../src/service/storage/passing';

test('what is left stays in the same collection; when nothing is left, it is another one', () => {
  const set = new Set(['a', 'b']);
  expect(takeOut(set, 'a')).toBe(set);
  expect([...set]).toEqual(['b']);
  const emptied = takeOut(set, 'b');
  expect(emptied).not.toBe(set);
  expect(emptied).toEqual(new Set());

  const map = new Map([['a', 1]]);
  expect(takeOut(map, 'a')).toEqual(new Map());
});

test('what is not there takes nothing out', () => {
  const set = new Set(['a']);
  expect(takeOut(set, 'b')).toBe(set);
  expect([...set]).toEqual(['a']);
  const none = new Map<string, number>();
  expect(takeOut(none, 'b')).toBe(none);
});
