import { servicesOf } from '../networks/services';
import { ProviderError } from '../../core/errors';
import { chainIdOf } from '../../core/schemas/chain';
import { type Batch } from './batch';
import { type LookUpDeps } from './deps';
import { outcomeOf } from './outcome';

/**
 * A batch with what became of it by now, which is also stored. What is done is not looked up again, unless
 * its receipts were too large to be kept.
 *
 * @throws {ProviderError} 4901 if the batch's chain is not set up any more.
 * @throws {ServiceFailedError} If a service of the chain does not tell.
 */
export async function lookUp(batch: Batch, { batches, chains }: LookUpDeps): Promise<Batch> {
  if (batch.status === 400 || batch.receipts !== undefined) return batch;
  const configuration = await chains.find(chainIdOf(batch.chainId));
  if (configuration === undefined)
    throw new ProviderError(
      'chain-disconnected',
      `${batch.chainId}, the chain of these calls, is not set up any more.`,
    );
  const { status, receipts } = await outcomeOf(batch, servicesOf(configuration), Date.now());
  // A service may forget what it has told.
  if (batch.status !== 100 && (status === 100 || status === 400)) return batch;
  const isDone = status !== 100;
  const now: Batch = { ...batch, status, ...(isDone && { receipts: [...receipts] }) };
  if (isDone) await batches.replace(now);
  return status === 100 && receipts.length > 0 ? { ...now, receipts: [...receipts] } : now;
}

/** Milliseconds. After this long without an answer, calls are only looked up on request. */
const TOO_OLD = 2 * 86_400_000;

/**
 * Looks up all calls that are pending and not too old, as far as services answer.
 *
 * @returns When the youngest that are still pending were sent, in milliseconds since 1970; undefined if none are.
 */
export async function lookUpPending(deps: LookUpDeps): Promise<number | undefined> {
  const now = Date.now();
  const pending = (await deps.batches.list()).filter(({ status, at }) => status === 100 && now - at < TOO_OLD);
  const after = await Promise.all(pending.map((batch) => lookUp(batch, deps).catch(() => batch)));
  const sentAt = after.filter(({ status }) => status === 100).map(({ at }) => at);
  return sentAt.length === 0 ? undefined : Math.max(...sentAt);
}
