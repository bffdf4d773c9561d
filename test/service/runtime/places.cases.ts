import { Places } from '../../../src/service/runtime/places';

const settled = () => new Promise(setImmediate);

/** Takes a place. @returns Whether its request may run, once that is known. */
function take(places: Places, id: string) {
  const place = places.take(id);
  const state: { runs?: boolean } = {};
  void place?.ready.then((runs) => (state.runs = runs));
  return { place, state };
}

test('a client has so many places; further requests wait in order, and too many are refused', async () => {
  const places = new Places(2, 2);
  const [one, two, three, four] = [take(places, 'a'), take(places, 'a'), take(places, 'a'), take(places, 'a')];
  expect(places.take('a')).toBeUndefined();
  const other = take(places, 'b');
  await settled();
  expect([one, two, three, four, other].map(({ state }) => state.runs)).toEqual([
    true,
    true,
    undefined,
    undefined,
    true,
  ]);
  one.place?.leave();
  one.place?.leave();
  await settled();
  expect([three.state.runs, four.state.runs]).toEqual([true, undefined]);
});

test('a request that leaves while it waits does not run, and takes no place', async () => {
  const places = new Places(1, 5);
  const [one, two, three] = [take(places, 'a'), take(places, 'a'), take(places, 'a')];
  two.place?.leave();
  await settled();
  expect(two.state.runs).toBe(false);
  one.place?.leave();
  await settled();
  expect(three.state.runs).toBe(true);
  three.place?.leave();
  const again = take(places, 'a');
  await settled();
  expect(again.state.runs).toBe(true);
});
