import { type CID } from 'multiformats/cid';
import { parseCid } from '../content/cids';
import { CommandError, messageOf } from '../errors';
import { openStorage } from '../server';
import { type StorageCommand } from './command';

function cidOf(text: string): CID {
  try {
    return parseCid(text);
  } catch (error) {
    throw new CommandError(`${text}: ${messageOf(error)}`);
  }
}

/**
 * Removes pins of one key: those of `cids`, or all. Their blocks stay until the next collection. For pins in the data
 * directory, the service must be stopped (use `pin/rm?tenant=` while it runs).
 *
 * @throws CommandError for a CID that the key has not pinned, and the earlier ones are removed then; or for what is no
 * CID, and none is removed.
 */
export const runUnpin: StorageCommand = async ({ dataDir, shared, json, tenant = '', cids = [], output }) => {
  const { service, close } = await openStorage({ dataDir, ...(shared && { shared }) });
  try {
    const all = async () => (await service.pins.list(tenant)).map(({ cid }) => cid);
    const chosen = cids.length === 0 ? await all() : cids.map(cidOf);
    for (const cid of chosen) {
      await service.pins.remove(tenant, cid, true);
      if (json) output(JSON.stringify({ unpinned: cid.toString() }));
    }
    output(json ? JSON.stringify({ removedPins: chosen.length }) : `${chosen.length} pins removed`);
    return 0;
  } finally {
    await close();
  }
};
