/**
 * How a call fails. It fails or the snap is killed, before or after the call takes effect. The user may reject. A
 * service may respond too late, with something that is not JSON, with a malformed result, with an error, or to another
 * request.
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

/** The faults of any call to the wallet. */
export const WALLET_FAULTS = ['fails', 'fails after', 'killed', 'killed after'] as const satisfies Fault[];

/** The wallet calls with side effects. For the others, failing before or after makes no difference. */
const WITH_EFFECT =
  /^(?:snap_setState|snap_manageAccounts|snap_scheduleBackgroundEvent|snap_updateInterface|snap_createInterface|snap_dialog|wallet_switchEthereumChain|fetch eth_send|fetch \/api\/v0\/add)/u;

/** @returns The possible faults of a call with this name. */
export function faultsOf(call: string): Fault[] {
  const faults: Fault[] = WITH_EFFECT.test(call) ? [...WALLET_FAULTS] : ['fails', 'killed'];
  if (/^snap_dialog(?: confirmation)?$/u.test(call)) faults.push('declined');
  if (call.startsWith('fetch')) faults.push('late', 'no JSON', 'wrong form', 'error', 'other id');
  return faults;
}

/** The failing call of a run. */
export type Planned = { readonly at: number; readonly fault: Fault };

/** The wallet's error message. No error may repeat it, because it may quote a secret. */
export const SECRET_OF_THE_WALLET = '5ec7e75ec7e7';
