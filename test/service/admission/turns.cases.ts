import { Turns, turnsWithPauses } from '../../../src/service/admission/turns';

test('as many go on in one turn as it is told', async () => {
  const turns = new Turns(2);
  let done = 0;
  const all = ['a', 'a', 'b', 'b'].map(async (key) => {
    await turns.next(key);
    done += 1;
  });
  await new Promise(setImmediate);
  expect(done).toBe(2);
  await Promise.all(all);
  expect(done).toBe(4);
});

test('keys take turns, one in each turn of the event loop', async () => {
  const turns = new Turns(1);
  const order: string[] = [];
  const work = async (key: string, name: string) => {
    await turns.next(key);
    order.push(name);
  };
  const all = [work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('b', 'b1'), work('c', 'c1')];
  for (let turn = 1; turn <= all.length; turn++) {
    await new Promise(setImmediate);
    expect(order.length).toBeLessThanOrEqual(turn);
  }
  await Promise.all(all);
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  await work('a', 'a4');
  expect(order.at(-1)).toBe('a4');
});

test('after a long turn there is a pause of the same length; after a short one the next follows at once', async () => {
  let clock = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => clock);
  const pauses: unknown[] = [];
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number) => {
    pauses.push(ms);
    setImmediate(run);
  }) as typeof setTimeout);
  const turns = turnsWithPauses();
  const work = async (ms: number) => {
    await turns.next('a');
    clock += ms;
  };
  await Promise.all([0, 5, 50, 0, 5000, 0].map(work));
  expect(pauses).toEqual([50, 1000]);
});
