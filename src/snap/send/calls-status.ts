import { ProviderError } from '../../core/errors';
import { quantityToHex } from '../../core/eth/bytes';
import { CallsStatusScreen } from '../screens/calls-status';
import { CALLS_VERSION, CallsIdParamsStruct } from '../../core/schemas/calls';
import { chainIdOf } from '../../core/schemas/chain';
import { parse } from '../../core/schemas/struct';
import { type Tell } from '../wallet/dialogs';
import { type Batch, isWaiting, progressOfBatch } from './batch';
import { type BatchDeps } from './deps';
import { namesIn } from '../account/names';
import { shownBatch } from '../handlers/shown-batch';
import { lookUp } from './look-up';
import { type Site } from '../sites/site';

/** @throws {ProviderError} 5730 if this site has sent no calls with this id. */
async function batchOf(params: unknown, { origin }: Site, { batches }: Pick<BatchDeps, 'batches'>): Promise<Batch> {
  const [id] = parse(CallsIdParamsStruct, params, 'params', ['id']);
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

/** `wallet_showCallsStatus` (EIP-5792): shows the user the status of the calls. */
export async function showCallsStatus(
  params: unknown,
  site: Site,
  deps: Pick<BatchDeps, 'accounts' | 'batches' | 'chains'> & { readonly tell: Tell },
): Promise<null> {
  const batch = await batchOf(params, site, deps);
  const [now, names] = await Promise.all([lookUp(batch, deps).catch(() => batch), namesIn(deps)]);
  await deps.tell(CallsStatusScreen(shownBatch(now, names)));
  return null;
}
