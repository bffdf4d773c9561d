import { rawCid } from '../blocks/rawCid';
import { openStorage } from '../server';
import { type StorageCommand } from './command';

/** Removes every block no pin needs, and gives the space back. Blocks in the data directory: the service must not be running. */
export const runGc: StorageCommand = async ({ dataDir, shared, json, output, progress }) => {
  const { service, close } = await openStorage({ dataDir, ...(shared && { shared }) });
  try {
    const before = await service.store.stat();
    let removed = 0;
    for await (const key of service.garbage.collect((done, total) => {
      progress('collecting', done, total);
    })) {
      removed++;
      if (json) output(JSON.stringify({ removed: rawCid(key).toString() }));
    }
    const after = await service.store.stat();
    const freedBytes = before.storedBytes - after.storedBytes;
    output(
      json
        ? JSON.stringify({ removedBlocks: removed, freedBytes, blocks: after.blocks })
        : `${removed} blocks removed, ${freedBytes} bytes given back, ${after.blocks} blocks left`,
    );
    return 0;
  } finally {
    await close();
  }
};
