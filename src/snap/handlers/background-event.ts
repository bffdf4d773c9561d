import { MethodNotSupportedError, quoted } from '../../core/errors';
import { type BatchDeps } from '../send/deps';
import { lookUpPending } from '../send/look-up';
import { lookAtSafes } from '../account/look-at-safes';
import { type LookDeps, rememberAnnounced } from '../account/recoveries/look';
import { isAnnounced, newsOf, type RecoveryEntry } from '../account/recoveries/repository';

/** The method name of the background event. */
export const LOOK_UP_EVENT = 'lookUpBatches';

/** Calls sent less than this many milliseconds ago are looked up often. */
const FRESH = 600_000;

/** The method name of the cron job in the manifest. */
export const RECOVERY_JOB = 'lookForRecoveries';

type EventDeps = LookDeps &
  Pick<BatchDeps, 'accounts' | 'batches' | 'scheduleLookUp'> & {
    readonly isLocked: () => Promise<boolean>;
    /** Shows the user that recoveries have begun, or how they ended. */
    readonly raise: (news: readonly RecoveryEntry[]) => Promise<void>;
  };

/**
 * Looks whether a recovery of an account has begun or ended, and says so at once. Each is announced until the person
 * has closed its dialog, whatever else has found it before.
 */
async function lookForRecoveries(deps: EventDeps): Promise<void> {
  const found = await lookAtSafes(deps);
  const news = found.filter((entry) => newsOf(entry) !== undefined && !isAnnounced(entry));
  if (news.length === 0) return;
  await deps.raise(news);
  await rememberAnnounced(news, deps);
}

/**
 * Looks up pending calls, or recoveries. While the wallet is locked, reading the state would prompt for the password,
 * so the look-up is postponed; the cron job comes again by itself.
 */
export async function onBackgroundEvent(method: string, deps: EventDeps): Promise<void> {
  if (method !== LOOK_UP_EVENT && method !== RECOVERY_JOB)
    throw new MethodNotSupportedError(`method: unknown event ${quoted(method)}`);
  if (await deps.isLocked()) {
    if (method === LOOK_UP_EVENT) await deps.scheduleLookUp(600);
    return;
  }
  if (method === RECOVERY_JOB) {
    await lookForRecoveries(deps);
    return;
  }
  const youngest = await lookUpPending(deps);
  if (youngest !== undefined) await deps.scheduleLookUp(Date.now() - youngest < FRESH ? 30 : 600);
}
