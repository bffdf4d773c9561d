import { rawCid } from '../blocks/rawCid';
import { openStorage } from '../server';
import { type StorageCommand } from './command';

/**
 * Removes every block no pin needs, and gives back the space of files of which enough is dead: what the collection itself
 * gave back, whatever else has grown. Blocks in the data directory: the service must not be running.
 */
export const runGc: StorageCommand = async ({ dataDir, shared, json, output, progress }) => {
  const { service, close } = await openStorage({ dataDir, ...(shared && { shared }) });
  try {
    let removed = 0;
    for await (const key of service.garbage.collect((done, total) => {
      progress('collecting', done, total);
    })) {
      removed++;
      if (json) output(JSON.stringify({ removed: rawCid(key).toString() }));
    }
    const { blocks, reclaimedBytes: freedBytes } = await service.store.stat();
    output(
      json
        ? JSON.stringify({ removedBlocks: removed, freedBytes, blocks })
        : `${removed} blocks removed, ${freedBytes} bytes given back, ${blocks} blocks left`,
    );
    return 0;
  } finally {
    await close();
  }
};
