import { servicesOf } from '../networks/services';
import { ProviderError } from '../../core/errors';
import { chainIdOf } from '../../core/schemas/chain';
import { type Batch } from './batch';
import { type LookUpDeps } from './deps';
import { outcomeOf } from './outcome';

/**
 * Looks up the status of a batch and stores it. A final status is not looked up again, unless its receipts were too
 * large to store.
 *
 * @throws {ProviderError} 4901 if the network of the batch is no longer set up.
 * @throws {ServiceFailedError} If a service of the network does not respond correctly.
 */
export async function lookUp(batch: Batch, { batches, chains }: LookUpDeps): Promise<Batch> {
  if (batch.status === 400 || batch.receipts !== undefined) return batch;
  const configuration = await chains.find(chainIdOf(batch.chainId));
  if (configuration === undefined)
    throw new ProviderError(
      'chain-disconnected',
      `${batch.chainId}, the network of these calls, is no longer set up in Keystead.`,
    );
  const { status, receipts } = await outcomeOf(batch, servicesOf(configuration), Date.now());
  // A service may forget a status that it has reported before.
  if (batch.status !== 100 && (status === 100 || status === 400)) return batch;
  const isDone = status !== 100;
  const now: Batch = { ...batch, status, ...(isDone && { receipts: [...receipts] }) };
  if (isDone) await batches.replace(now);
  return status === 100 && receipts.length > 0 ? { ...now, receipts: [...receipts] } : now;
}

/** Calls that are pending for longer than this, in milliseconds, are looked up only on request. */
const TOO_OLD = 2 * 86_400_000;

/**
 * Looks up all pending calls that are not too old. Failing services are skipped.
 *
 * @returns When the most recent calls that are still pending were sent, in milliseconds since 1970; undefined if none
 * are.
 */
export async function lookUpPending(deps: LookUpDeps): Promise<number | undefined> {
  const now = Date.now();
  const pending = (await deps.batches.list()).filter(({ status, at }) => status === 100 && now - at < TOO_OLD);
  const after = await Promise.all(pending.map((batch) => lookUp(batch, deps).catch(() => batch)));
  const sentAt = after.filter(({ status }) => status === 100).map(({ at }) => at);
  return sentAt.length === 0 ? undefined : Math.max(...sentAt);
}
