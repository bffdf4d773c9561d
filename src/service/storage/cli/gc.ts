import { type CID } from 'multiformats/cid';
import { rawCid } from '../content/cids';
import { openStorage } from '../server';
import { type StorageCommand } from './command';

/**
 * Removes every block that no pin needs. The service must be stopped if the blocks are in the data directory; in a
 * bucket, blocks stay that are younger than the grace time.
 * With `force`, also removes what is reachable only through missing or unreadable pinned blocks; each of these is
 * reported once.
 */
export const runGc: StorageCommand = async ({ dataDir, shared, json, force, output, progress }) => {
  const { service, close } = await openStorage({ dataDir, ...(shared && { shared }) });
  try {
    const before = await service.store.stat();
    let removed = 0;
    const holes = new Set<string>();
    const onHole = (lost: CID, pin: CID) => {
      const cid = lost.toString();
      if (holes.has(cid)) return;
      holes.add(cid);
      const problem = `missing or unreadable block below the pin ${pin.toString()}`;
      output(json ? JSON.stringify({ problem, cid }) : `${problem}: ${cid}`);
    };
    const collecting = service.garbage.collect({
      progress: (done, total) => {
        progress('collecting', done, total);
      },
      ...(force === true && { onHole }),
    });
    for await (const key of collecting) {
      removed++;
      if (json) output(JSON.stringify({ removed: rawCid(key).toString() }));
    }
    const { blocks, blockBytes } = await service.store.stat();
    const freedBytes = Math.max(0, before.blockBytes - blockBytes);
    output(
      json
        ? JSON.stringify({ removedBlocks: removed, freedBytes, blocks })
        : `${removed} blocks removed, ${freedBytes} bytes freed, ${blocks} blocks left`,
    );
    return 0;
  } finally {
    await close();
  }
};
