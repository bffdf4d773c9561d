import { MethodNotSupportedError, quoted } from '../../core/errors';
import { type DoorDeps } from '../rpc/deps';
import { lookUp } from '../batches/look-up';

/** What the background event's request is called. */
export const LOOK_UP_EVENT = 'lookUpBatches';

/** How long after it was sent, in milliseconds, a batch is looked up often. */
const FRESH = 600_000;
/** How long at all: after this a service that tells nothing is asked on request only. */
const TOO_OLD = 2 * 86_400_000;

/**
 * Looks up every batch that waits and is not too old, as far as services answer.
 *
 * @returns When the youngest that still waits was sent, in milliseconds since 1970; undefined if none waits.
 */
export async function lookUpAll(deps: DoorDeps): Promise<number | undefined> {
  const now = Date.now();
  const waiting = (await deps.batches.list()).filter(({ status, at }) => status === 100 && now - at < TOO_OLD);
  const after = await Promise.all(waiting.map((batch) => lookUp(batch, deps).catch(() => batch)));
  const sentAt = after.filter(({ status }) => status === 100).map(({ at }) => at);
  return sentAt.length === 0 ? undefined : Math.max(...sentAt);
}

/** A background event. While the wallet is locked, what is stored cannot be read without asking for the password. */
export async function onBackgroundEvent(method: string, deps: DoorDeps): Promise<void> {
  if (method !== LOOK_UP_EVENT) throw new MethodNotSupportedError(`method: there is no event ${quoted(method)}`);
  if (await deps.isLocked()) {
    await deps.lookAgainLater(600);
    return;
  }
  const youngest = await lookUpAll(deps);
  if (youngest !== undefined) await deps.lookAgainLater(Date.now() - youngest < FRESH ? 30 : 600);
}
