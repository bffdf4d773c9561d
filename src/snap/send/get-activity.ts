import { type OwnMethods } from '../../core/methods/own';
import { type Activity } from '../../core/methods/results';
import { boolean, exactOptional, object, optional, parse, type Struct } from '../../core/structs/struct';
import { type Batch, isWaiting, latestHash, replaceableHashes } from './batch';
import { type BatchDeps } from './deps';
import { lookUpPending } from './look-up';
import { hashesOf, oneForEachHash } from './one-for-each-hash';

const ParamsStruct: Struct<OwnMethods['keystead_getActivity']['params']> = optional(
  object({ lookUp: exactOptional(boolean()) }),
);

function ofBatch(batch: Batch): Activity {
  const { account, origin, at, chainId, id, calls, status, remark, isSeen, sent, receipts = [] } = batch;
  const isUnclear = status === 100 && sent.isUnclear === true;
  const hashes =
    sent.as === 'operation'
      ? { userOperation: latestHash(sent, []), transactions: receipts.map(({ transactionHash }) => transactionHash) }
      : { transactions: sent.items.map((item) => latestHash(item, receipts)) };
  const replaceable = replaceableHashes(batch);
  return {
    account,
    origin,
    at,
    chainId,
    sent: {
      id,
      calls,
      status,
      ...(remark && { remark }),
      isUnclear,
      ...(isSeen === true && { isSeen }),
      ...(replaceable.length > 0 && { replaceable }),
      ...(isWaiting(batch) && { isWaiting: true }),
      ...hashes,
    },
  };
}

/**
 * `keystead_getActivity`: what the accounts signed and sent for all sites, the most recent first. It changes nothing
 * that the user decides, so it needs no consent. Only origins that may manage the accounts may read it.
 *
 * @param params - `{ lookUp: true }` first looks up the status of what is pending; services that fail are skipped.
 */
export async function getActivity(
  params: unknown,
  deps: Pick<BatchDeps, 'batches' | 'chains' | 'recipients'>,
): Promise<readonly Activity[]> {
  if (parse(ParamsStruct, params, 'params')?.lookUp === true) await lookUpPending(deps);
  const [batches, signatures] = await Promise.all([deps.batches.read(), deps.recipients.signed()]);
  const sent = oneForEachHash(batches);
  const known = new Set<string>(sent.flatMap(hashesOf));
  const signed = signatures.flatMap(({ method, hash, ...rest }) => {
    if (hash === undefined) return [{ ...rest, signed: { method } }];
    // The same bytes, signed or sent again, are the same transaction.
    if (known.has(hash.toLowerCase())) return [];
    known.add(hash.toLowerCase());
    return [{ ...rest, signed: { method, hash } }];
  });
  return [...sent.map(ofBatch), ...signed].sort((a, b) => b.at - a.at);
}
