import { mkdirSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { SharedSync } from '../../../../src/service/storage/store/shared-sync';
import { makeFolder } from '../../../support/service/folder';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Lets `decide` take part in every sync of a folder. */
async function onSyncs(decide: (sync: () => Promise<void>) => Promise<void>): Promise<void> {
  const handle = await open(__filename);
  const prototype = Object.getPrototypeOf(handle) as { sync: () => Promise<void> };
  await handle.close();
  const { sync } = prototype;
  jest.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    return decide(() => sync.call(this));
  });
}

function foldersIn(root: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const path = join(root, String(i));
    mkdirSync(path);
    return path;
  });
}

test('however many folders have changed, a few dozen are open at once', async () => {
  let [now, most, all] = [0, 0, 0];
  await onSyncs(async (sync) => {
    all++;
    most = Math.max(most, ++now);
    await sync();
    now--;
  });
  const shared = new SharedSync(true);
  for (const path of foldersIn(makeFolder(), 500)) shared.changed(path);
  await shared.sync();
  expect([all, most <= 32]).toEqual([500, true]);
});

test('a sync that fails is not the end: only what failed is tried again, and others are not refused for it', async () => {
  const [one, two, three] = foldersIn(makeFolder(), 3) as [string, string, string];
  let fails = true;
  let count = 0;
  await onSyncs((sync) => {
    count++;
    return fails && count === 1 ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })) : sync();
  });
  const shared = new SharedSync(true);
  shared.changed(one);
  shared.changed(two);
  await expect(shared.sync()).rejects.toThrow('EIO');
  expect(count).toBe(2);
  fails = false;
  shared.changed(three);
  await shared.sync();
  expect(count).toBe(4);
});

test('without a free descriptor it waits for one, and a folder that is gone has nothing to sync', async () => {
  const root = makeFolder();
  let count = 0;
  await onSyncs((sync) =>
    ++count <= 2 ? Promise.reject(Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })) : sync(),
  );
  const shared = new SharedSync(true);
  shared.changed(root);
  shared.changed(join(root, 'gone'));
  await shared.sync();
  expect(count).toBe(3);
});
