/**
 * How a call goes wrong. It fails, or the snap is killed in it: each before it has its effect, or after. The person
 * may decline. A service may answer too late, with something that is no JSON, with a result of the wrong form, with
 * an error, or to another request.
 */
export type Fault =
  | 'fails'
  | 'fails after'
  | 'killed'
  | 'killed after'
  | 'declined'
  | 'late'
  | 'no JSON'
  | 'wrong form'
  | 'error'
  | 'other id';

/** How any call to the wallet can go wrong. */
export const WALLET_FAULTS = ['fails', 'fails after', 'killed', 'killed after'] as const satisfies Fault[];

/** What of a wallet's calls leaves something behind. To fail before or after is one and the same for the others. */
const WITH_EFFECT =
  /^(?:snap_setState|snap_manageAccounts|snap_scheduleBackgroundEvent|snap_updateInterface|snap_createInterface|snap_dialog|wallet_switchEthereumChain|fetch eth_send|fetch \/api\/v0\/add)/u;

/** @returns The faults that there are for a call of this name. */
export function faultsOf(call: string): Fault[] {
  const faults: Fault[] = WITH_EFFECT.test(call) ? [...WALLET_FAULTS] : ['fails', 'killed'];
  if (call.startsWith('snap_dialog confirmation')) faults.push('declined');
  if (call.startsWith('fetch')) faults.push('late', 'no JSON', 'wrong form', 'error', 'other id');
  return faults;
}

/** One call of a run that goes wrong. */
export type Planned = { readonly at: number; readonly fault: Fault };

/** No error may repeat what the wallet says: it may quote a secret. */
export const SECRET_OF_THE_WALLET = '5ec7e75ec7e7';
