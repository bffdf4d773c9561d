import { type GetCallsStatusReturnType } from 'viem';

/** The status of EIP-5792 of calls that the network has not included yet. */
export const PENDING = 100;

/** @returns Whether calls wait for the signatures of other owners of their account, as the snap remarks. */
export const isWaitingForOwners = (status: Pick<GetCallsStatusReturnType, 'capabilities'> | undefined): boolean =>
  (status?.capabilities?.keystead as { remark?: unknown } | undefined)?.remark === 'signatures-missing';
