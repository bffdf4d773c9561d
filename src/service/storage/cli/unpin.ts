import { type CID } from 'multiformats/cid';
import { uncharged } from '../../admission/uncharged';
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
  let removedPins = 0;
  const remove = async (cid: CID) => {
    await pins.remove(tenant, cid, true);
    removedPins++;
    if (json) output(JSON.stringify({ unpinned: cid.toString() }));
  };
  for (const cid of cids.map(cidOf)) await remove(cid);
  if (cids.length === 0) for await (const { cid } of pins.list(uncharged(), tenant)) await remove(cid);
  output(json ? JSON.stringify({ removedPins }) : `${removedPins} pins removed`);
  return 0;
});
