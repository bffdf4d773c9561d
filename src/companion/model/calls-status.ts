import { type GetCallsStatusReturnType } from 'viem';

import { canBecome, PROGRESS, type ProgressState } from '../../core/calls/progress';

/** The status of EIP-5792 of calls that the network has not included yet. */
export const PENDING = 100;

type Status = Pick<GetCallsStatusReturnType, 'capabilities'>;
type Said = { readonly state?: unknown; readonly message?: unknown; readonly remark?: unknown };

const saidOf = (status: Status | undefined): Said => (status?.capabilities?.keystead as Said | undefined) ?? {};

/** @returns Whether calls wait for the signatures of other owners of their account, as the snap remarks. */
export const isWaitingForOwners = (status: Status | undefined): boolean =>
  saidOf(status).remark === 'signatures-missing';

/** How far calls have come, and a sentence that says so. */
export type CallsProgress = { readonly state: ProgressState; readonly text: string };

/**
 * @param before - What was known before.
 * @returns What the snap says of the calls, unless it is behind what was known: answers may arrive out of order.
 */
export function callsProgress(status: Status, before: CallsProgress): CallsProgress {
  const { state, message } = saidOf(status);
  if (typeof state !== 'string' || !Object.hasOwn(PROGRESS, state)) return before;
  const known = state as ProgressState;
  if (!canBecome(before.state, known)) return before;
  return { state: known, text: typeof message === 'string' ? message : PROGRESS[known].text };
}
