import { stopParts } from '../../src/service/part';

test('parts are stopped in the reverse order of their start, the rest also when one fails', async () => {
  const stopped: string[] = [];
  const part = (name: string, stop: () => Promise<void> = () => Promise.resolve()) => ({
    addresses: [],
    problems: () => Promise.resolve([]),
    stop: () => {
      stopped.push(name);
      return stop();
    },
  });
  const fail = () => Promise.reject(new Error('the disk is full'));
  await expect(stopParts([part('first'), part('second', fail), part('third')])).rejects.toThrow('the disk is full');
  expect(stopped).toEqual(['third', 'second', 'first']);
});
