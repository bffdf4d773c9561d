import { type CID } from 'multiformats/cid';
import { uncharged } from '../../admission/uncharged';
import { rawCid } from '../content/cids';
import { damagedBlocks, keyText } from '../store/block-store';
import { blockLoader, linkLoader } from '../content/block-reader';
import { Visited } from '../content/visited';
import { knownLinks, unlimited, walk } from '../content/walk';
import { onOpenStorage } from './command';

/**
 * Reads every block, checks its hash, and checks that everything below every pin exists. Exit code 1 if there are
 * problems.
 */
export const runVerify = onOpenStorage(async ({ store, pins: book }, { json, output, progress }) => {
  let problems = 0;
  const charge = uncharged();
  const report = (problem: string, cid: string) => {
    problems++;
    output(json ? JSON.stringify({ problem, cid }) : `${problem}: ${cid}`);
  };
  for await (const key of damagedBlocks(store, charge, (done, total) => {
    progress('reading', done, total);
  })) {
    report('damaged block', rawCid(key).toString());
  }
  // Without the limits of requests, which may have differed when the pins were made.
  const walker = unlimited(linkLoader(store, blockLoader(store, { charge })), charge);
  const visited = new Visited();
  const lost = new Set<string>();
  let count = 0;
  for await (const pin of book.list(charge)) {
    count++;
    if (pin.mode === 'direct') {
      if (!(await store.has(pin.cid.multihash.bytes))) report('missing block of a pin', pin.cid.toString());
      continue;
    }
    const onLost = (cid: CID) => {
      const key = keyText(cid.multihash.bytes);
      if (lost.has(key)) return;
      lost.add(key);
      report(`missing or unreadable block below the pin ${pin.cid.toString()}`, cid.toString());
    };
    for await (const visit of walk({ cid: pin.cid }, knownLinks, walker, { visited, onLost })) void visit;
  }
  const { blocks, blockBytes } = await store.stat();
  const found = problems === 0 ? 'no problems' : `${problems} problems`;
  output(
    json
      ? JSON.stringify({ blocks, blockBytes, pins: count, problems })
      : `${blocks} blocks, ${blockBytes} bytes, ${count} pins: ${found}`,
  );
  return problems === 0 ? 0 : 1;
});
