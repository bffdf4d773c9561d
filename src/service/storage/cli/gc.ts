import { type CID } from 'multiformats/cid';
import { uncharged } from '../../admission/uncharged';
import { rawCid } from '../content/cids';
import { onOpenStorage } from './command';

/**
 * Removes every block that no pin needs; in a bucket, blocks younger than the grace time stay. With `force`, it also
 * removes what is reachable only through missing or unreadable pinned blocks; each of these is reported once.
 */
export const runGc = onOpenStorage(async ({ store, garbage }, { json, force, output, progress }) => {
  const before = await store.stat();
  let removed = 0;
  const holes = new Set<string>();
  const onHole = (lost: CID, pin: CID) => {
    const cid = lost.toString();
    if (holes.has(cid)) return;
    holes.add(cid);
    const problem = `missing or unreadable block below the pin ${pin.toString()}`;
    output(json ? JSON.stringify({ problem, cid }) : `${problem}: ${cid}`);
  };
  const collecting = garbage.collect({
    charge: uncharged(),
    progress: (done, total) => {
      progress('collecting', done, total);
    },
    ...(force === true && { onHole }),
  });
  for await (const key of collecting) {
    removed++;
    if (json) output(JSON.stringify({ removed: rawCid(key).toString() }));
  }
  const { blocks, blockBytes } = await store.stat();
  const freedBytes = Math.max(0, before.blockBytes - blockBytes);
  output(
    json
      ? JSON.stringify({ removedBlocks: removed, freedBytes, blocks })
      : `${removed} blocks removed, ${freedBytes} bytes freed, ${blocks} blocks left`,
  );
  return 0;
});
