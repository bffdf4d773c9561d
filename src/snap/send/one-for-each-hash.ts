import { type Hex } from '../../core/eth/bytes';
import { type Batch, withReplacements } from './batch';

/** @returns The hashes under which a network knows what was sent, in lower case. */
export const hashesOf = ({ sent }: Pick<Batch, 'sent'>): readonly Hex[] =>
  (sent.as === 'operation' ? [sent.hash] : sent.items.map(({ hash }) => hash)).map((hash) => hash.toLowerCase() as Hex);

/** Which of two batches of one hash says more: one with a final status, then one that was looked up. */
const knowledgeOf = ({ status, isSeen, remark }: Batch): number =>
  status !== 100 ? 3 : isSeen === true ? 2 : remark !== undefined ? 1 : 0;

/**
 * Sending the same again, because there was no answer, gives the same bytes: for the network it is one transaction,
 * and sites may know it by several ids.
 *
 * @param batches - Any, the first sent first.
 * @returns Each transaction once, with the best of what is known of it, at the place where it was sent first.
 */
export function oneForEachHash(batches: readonly Batch[]): readonly Batch[] {
  const rows = new Map<string, Batch>();
  for (const one of batches) {
    const batch = { ...one, sent: withReplacements(one, batches) };
    const key = `${batch.chainId} ${batch.sent.as} ${hashesOf(batch).join(' ')}`;
    const before = rows.get(key);
    if (before === undefined || knowledgeOf(batch) > knowledgeOf(before))
      rows.set(key, before === undefined ? batch : { ...batch, at: before.at });
  }
  return [...rows.values()];
}
