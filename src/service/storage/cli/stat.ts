import { openStorage } from '../server';
import { type StorageCommand } from './command';

/**
 * Shows what the store holds. For blocks in the data directory, the service must be stopped (use `repo/stat` while it
 * runs).
 */
export const runStat: StorageCommand = async ({ dataDir, shared, json, output }) => {
  const { service, close } = await openStorage({ dataDir, ...(shared && { shared }) });
  try {
    const { blocks, blockBytes } = await service.store.stat();
    const pins = await service.pins.count();
    output(json ? JSON.stringify({ blocks, blockBytes, pins }) : `${blocks} blocks, ${blockBytes} bytes, ${pins} pins`);
    return 0;
  } finally {
    await close();
  }
};
