import { Queue } from '../../../src/service/admission/queue';

const settled = () => new Promise(setImmediate);

/** Enters a queue. @returns Whether the place may be used, once that is known. */
function enter(queue: Queue) {
  const place = queue.enter();
  const state: { runs?: boolean } = {};
  if (place !== undefined && place.ready === undefined) state.runs = true;
  void place?.ready?.then((runs) => (state.runs = runs));
  return { place, state };
}

test('so many run at once; further ones wait in order, and too many are refused', async () => {
  const queue = new Queue(2, 2);
  const [one, two, three, four] = [enter(queue), enter(queue), enter(queue), enter(queue)];
  expect(queue.enter()).toBeUndefined();
  expect([one, two, three, four].map(({ state }) => state.runs)).toEqual([true, true, undefined, undefined]);
  one.place?.leave();
  one.place?.leave();
  await settled();
  expect([three.state.runs, four.state.runs]).toEqual([true, undefined]);
});

test('what leaves while it waits does not run, and takes no place', async () => {
  const queue = new Queue(1, 5);
  const [one, two, three] = [enter(queue), enter(queue), enter(queue)];
  two.place?.leave();
  await settled();
  expect(two.state.runs).toBe(false);
  one.place?.leave();
  await settled();
  expect(three.state.runs).toBe(true);
  expect(queue.isIdle).toBe(false);
  three.place?.leave();
  expect(queue.isIdle).toBe(true);
  expect(enter(queue).state.runs).toBe(true);
});
