import { ProviderError } from '../../errors';
import { quantityToHex } from '../../eth/bytes';
import { CallsStatusScreen } from '../../ui/calls-status';
import { CALLS_VERSION, CallsIdParamsStruct } from '../../wire/calls';
import { chainIdOf } from '../../wire/chain';
import { parse } from '../../wire/struct';
import { type Batch } from '../batches/batch';
import { lookUp } from '../batches/look-up';
import { type Site } from '../connection';
import { forConnected, inTurn } from './method';

/** @throws {ProviderError} 5730 for an id that this site has not sent anything with. */
async function batchOf(params: unknown, { batches, origin }: Site): Promise<Batch> {
  const [id] = parse(CallsIdParamsStruct, params, 'params', ['id']);
  const batch = await batches.find(origin, id);
  if (batch === undefined) throw new ProviderError('calls-id-unknown', 'id: this site has sent no calls with this id');
  return batch;
}

/** `wallet_getCallsStatus` (EIP-5792). */
export const walletGetCallsStatus = forConnected(async (params, site) => {
  const { id, chainId, status, atomic, receipts } = await lookUp(await batchOf(params, site), site);
  return {
    version: CALLS_VERSION,
    id,
    chainId: quantityToHex(chainIdOf(chainId)),
    status,
    atomic,
    ...(receipts !== undefined && receipts.length > 0 && { receipts }),
  };
});

/** `wallet_showCallsStatus` (EIP-5792): shows the person what became of the calls. */
export const walletShowCallsStatus = inTurn(async (params, site) => {
  const batch = await batchOf(params, site);
  const now = await lookUp(batch, site).catch(() => batch);
  await site.tell(CallsStatusScreen(now));
  return null;
});
