import { namesIn } from '../account/names';
import { CallsStatusScreen } from '../screens/calls-status';
import { batchOf } from '../send/calls-status';
import { type BatchDeps } from '../send/deps';
import { lookUp } from '../send/look-up';
import { type Site } from '../sites/site';
import { type Tell } from '../wallet/dialogs';
import { shownBatch } from './shown-batch';

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
