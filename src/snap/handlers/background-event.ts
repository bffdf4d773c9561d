import { MethodNotSupportedError, quoted } from '../../core/errors';
import { type LookUpDeps, type SendDeps } from '../batches/deps';
import { lookUpPending } from '../batches/look-up';

/** The method name of the background event. */
export const LOOK_UP_EVENT = 'lookUpBatches';

/** Calls sent less than this many milliseconds ago are looked up often. */
const FRESH = 600_000;

type EventDeps = LookUpDeps &
  Pick<SendDeps, 'scheduleLookUp'> & {
    readonly isLocked: () => Promise<boolean>;
  };

/**
 * Looks up pending calls. While the wallet is locked, reading the state would prompt for the password, so the look-up
 * is postponed.
 */
export async function onBackgroundEvent(method: string, deps: EventDeps): Promise<void> {
  if (method !== LOOK_UP_EVENT) throw new MethodNotSupportedError(`method: unknown event ${quoted(method)}`);
  if (await deps.isLocked()) {
    await deps.scheduleLookUp(600);
    return;
  }
  const youngest = await lookUpPending(deps);
  if (youngest !== undefined) await deps.scheduleLookUp(Date.now() - youngest < FRESH ? 30 : 600);
}
