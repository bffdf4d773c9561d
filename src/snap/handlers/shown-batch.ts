import { networkOf, networkTitle } from '../../core/networks/network';
import { chainIdOf } from '../../core/schemas/chain';
import { type DisplayNames } from '../account/names';
import { type ShownBatch } from '../screens/calls-status';
import { type Batch, isWaiting, progressOfBatch, replaceableHashes } from '../send/batch';

/** @returns A batch as screens show it: its account and its network by name. */
export function shownBatch(batch: Batch, { names, networks }: DisplayNames): ShownBatch {
  const chainId = chainIdOf(batch.chainId);
  const configured = networks[chainId.toString()];
  const accountName = names[batch.account.toLowerCase()];
  return {
    ...batch,
    progress: progressOfBatch(batch),
    isWaiting: isWaiting(batch),
    replaceable: replaceableHashes(batch),
    network: networkOf(chainId, configured),
    networkTitle: networkTitle(chainId, configured),
    ...(accountName !== undefined && { accountName }),
  };
}
