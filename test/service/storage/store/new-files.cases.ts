import fsSync from 'node:fs';
import fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startTestService, temporaryDirectory } from '../../../support/storage/service';

test('new files and directories are durable by name before anything in them is acknowledged', async () => {
  const open = fs.open;
  const synced = new Set<string>();
  jest.spyOn(fs, 'open').mockImplementation(async (path, flags, mode) => {
    const handle = await open(path, flags, mode);
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      await sync();
      synced.add(String(path));
    };
    return handle;
  });
  const dataDir = join(await temporaryDirectory(), 'data', 'storage');
  const descriptors = new Map<number, string>();
  const openSync = fsSync.openSync;
  const fsyncSync = fsSync.fsyncSync;
  jest.spyOn(fsSync, 'openSync').mockImplementation((path, flags, mode) => {
    const descriptor = openSync(path, flags, mode);
    descriptors.set(descriptor, String(path));
    return descriptor;
  });
  jest.spyOn(fsSync, 'fsyncSync').mockImplementation((descriptor) => {
    fsyncSync(descriptor);
    synced.add(descriptors.get(descriptor) ?? '');
  });
  const service = await startTestService({ dataDir, durable: true });
  for (const directory of [join(dataDir, 'blocks'), dataDir, dirname(dataDir), dirname(dirname(dataDir))]) {
    expect(synced).toContain(directory);
  }
  jest.restoreAllMocks();
  await service.discard();
});
