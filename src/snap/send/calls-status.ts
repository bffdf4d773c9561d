import { type ParamsOf } from '../sites/methods/method';
import { ProviderError } from '../../core/errors';
import { quantityToHex } from '../../core/eth/bytes';
import { CALLS_VERSION, CallsIdParamsStruct } from '../../core/schemas/calls';
import { chainIdOf } from '../../core/schemas/chain';
import { parse } from '../../core/structs/struct';
import { type Batch, isWaiting, progressOfBatch } from './batch';
import { type BatchDeps } from './deps';
import { lookUp } from './look-up';
import { type Site } from '../sites/site';

/** @throws {ProviderError} 5730 if this site has sent no calls with this id. */
export async function batchOf(
  params: unknown,
  { origin }: Site,
  { batches }: Pick<BatchDeps, 'batches'>,
): Promise<Batch> {
  const [id]: ParamsOf<'wallet_getCallsStatus'> = parse(CallsIdParamsStruct, params, 'params', ['id']);
  const batch = await batches.find(origin, id);
  if (batch === undefined) throw new ProviderError('calls-id-unknown', 'id: this site has sent no calls with this id');
  return batch;
}

/** `wallet_getCallsStatus` (EIP-5792). */
export async function callsStatus(params: unknown, site: Site, deps: Pick<BatchDeps, 'batches' | 'chains'>) {
  const batch = await lookUp(await batchOf(params, site, deps), deps);
  const { id, chainId, status, atomic, receipts } = batch;
  const remark = batch.remark ?? (isWaiting(batch) ? 'signatures-missing' : undefined);
  const { state, text: message } = progressOfBatch(batch);
  return {
    version: CALLS_VERSION,
    id,
    chainId: quantityToHex(chainIdOf(chainId)),
    status,
    atomic,
    ...(receipts !== undefined && receipts.length > 0 && { receipts }),
    capabilities: { keystead: { state, message, ...(remark && { remark }) } },
  };
}
