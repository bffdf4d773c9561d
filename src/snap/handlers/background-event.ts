import { MethodNotSupportedError, quoted } from '../../core/errors';
import { type LookUpDeps, type SendDeps } from '../batches/deps';
import { lookUpPending } from '../batches/look-up';

/** The name of the background event's request. */
export const LOOK_UP_EVENT = 'lookUpBatches';

/** Milliseconds. Calls that were sent less than this long ago are looked up often. */
const FRESH = 600_000;

type EventDeps = LookUpDeps &
  Pick<SendDeps, 'scheduleLookUp'> & {
    readonly isLocked: () => Promise<boolean>;
  };

/** Looks up pending calls. While the wallet is locked, reading the state would ask for the password, so it waits. */
export async function onBackgroundEvent(method: string, deps: EventDeps): Promise<void> {
  if (method !== LOOK_UP_EVENT) throw new MethodNotSupportedError(`method: there is no event ${quoted(method)}`);
  if (await deps.isLocked()) {
    await deps.scheduleLookUp(600);
    return;
  }
  const youngest = await lookUpPending(deps);
  if (youngest !== undefined) await deps.scheduleLookUp(Date.now() - youngest < FRESH ? 30 : 600);
}
