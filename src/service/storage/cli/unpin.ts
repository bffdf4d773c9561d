import { type CID } from 'multiformats/cid';
import { parseCid } from '../content/cids';
import { CommandError, messageOf } from '../errors';
import { onOpenStorage } from './command';

function cidOf(text: string): CID {
  try {
    return parseCid(text);
  } catch (error) {
    throw new CommandError(`${text}: ${messageOf(error)}`);
  }
}

/**
 * Removes pins of one key: those of `cids`, or all. Their blocks stay until the next collection.
 *
 * @throws CommandError for a CID that the key has not pinned, after the earlier ones are removed; or for an invalid
 * CID, before any is removed.
 */
export const runUnpin = onOpenStorage(async ({ pins }, { json, tenant = '', cids = [], output }) => {
  const chosen = cids.length === 0 ? (await pins.list(tenant)).map(({ cid }) => cid) : cids.map(cidOf);
  for (const cid of chosen) {
    await pins.remove(tenant, cid, true);
    if (json) output(JSON.stringify({ unpinned: cid.toString() }));
  }
  output(json ? JSON.stringify({ removedPins: chosen.length }) : `${chosen.length} pins removed`);
  return 0;
});
