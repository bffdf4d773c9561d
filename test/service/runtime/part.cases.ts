import { stopParts } from '../../../src/service/part';

const part = (stop: () => Promise<void>) => ({ addresses: [], problems: () => Promise.resolve([]), stop });

test('all parts are stopped, even if one fails to stop', async () => {
  const stopped: string[] = [];
  const ends = (name: string) =>
    part(() => {
      stopped.push(name);
      return Promise.resolve();
    });
  const fails = part(() => Promise.reject(new Error('the disk is full')));
  await expect(stopParts([ends('first'), fails, ends('third')])).rejects.toThrow('the disk is full');
  expect(stopped).toEqual(['first', 'third']);
});

test('no part waits for another one to stop', async () => {
  let release: () => void = () => undefined;
  const first = part(() => new Promise((resolve) => (release = resolve)));
  // If they were stopped one after the other, this would wait forever in either order.
  const second = part(() => {
    release();
    return Promise.resolve();
  });
  await stopParts([first, second]);
  let releaseLater: () => void = () => undefined;
  const last = part(() => new Promise((resolve) => (releaseLater = resolve)));
  await stopParts([
    part(async () => {
      await Promise.resolve();
      releaseLater();
    }),
    last,
  ]);
});
