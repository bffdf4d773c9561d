import { servicesOf } from '../networks/services';
import { ProviderError } from '../../core/errors';
import { chainIdOf } from '../../core/schemas/chain';
import { type DoorDeps } from '../rpc/deps';
import { type Batch } from './batch';
import { outcomeOf } from './outcome';

/**
 * A batch with what became of it by now, which is also stored. What is done is not looked up again, unless
 * its receipts were too large to be kept.
 *
 * @throws {ProviderError} 4901 if the batch's chain is not set up any more.
 * @throws {ServiceFailedError} If a service of the chain does not tell.
 */
export async function lookUp(batch: Batch, { batches, chains }: DoorDeps): Promise<Batch> {
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
