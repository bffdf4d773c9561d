import { hasHeld, noteHeld } from '../../../src/service/runtime/held-stores';
import { makeFolder } from '../../support/service/folder';

test('of stores that are noted at the same moment, each is remembered', async () => {
  const folder = makeFolder();
  const names = Array.from({ length: 20 }, (_, n) => `store-${n}.sqlite`);
  await Promise.all([...names, ...names].map((name) => noteHeld(folder, name)));
  for (const name of names) expect([name, hasHeld(folder, name)]).toEqual([name, true]);
  expect(hasHeld(folder, 'store')).toBe(false);
});

test('a folder that cannot be written remembers nothing, and nothing fails', async () => {
  await noteHeld('/dev/null', 'keys.sqlite');
  expect(hasHeld('/dev/null', 'keys.sqlite')).toBe(false);
});
