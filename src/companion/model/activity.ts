import { type Hash } from 'viem';

import { isSameAddress } from '../../core/eth/address';
import { type Chain } from './types';

/** Something that was signed or sent, as `keystead_getActivity` reports it. */
export type Activity = {
  readonly account: string;
  readonly origin: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly chainId?: string;
  readonly signed?: { readonly method: string; readonly hash?: Hash };
  readonly sent?: {
    readonly id: string;
    readonly calls: number;
    /** EIP-5792. */
    readonly status: number;
    readonly isUnclear: boolean;
    readonly userOperation?: Hash;
    readonly transactions: readonly Hash[];
  };
};

const PENDING = 100;

const SIGNED: Readonly<Record<string, string>> = {
  personal_sign: 'Signed a message',
  eth_signTypedData_v4: 'Signed typed data',
  eth_signTransaction: 'Signed a transaction',
  eth_signUserOperation: 'Signed a user operation',
};

/** @returns What was done, in words. */
export function whatOf({ signed, sent }: Activity): string {
  if (sent === undefined) return SIGNED[signed?.method ?? ''] ?? `Signed (${signed?.method ?? 'unknown'})`;
  return sent.calls === 1 ? 'Sent a transaction' : `Sent ${sent.calls} calls`;
}

export type Status = { readonly text: string; readonly tone: 'success' | 'error' | 'wait' };

const STATUSES: Readonly<Record<number, Status>> = {
  200: { text: 'Confirmed', tone: 'success' },
  400: { text: 'Not included', tone: 'error' },
  500: { text: 'Failed', tone: 'error' },
  600: { text: 'Partly failed', tone: 'error' },
};

/** @returns How it ended, or that it has not yet. */
export function statusOf({ sent }: Activity): Status {
  if (sent === undefined) return { text: 'Signed', tone: 'success' };
  return STATUSES[sent.status] ?? { text: sent.isUnclear ? 'Unclear' : 'Pending', tone: 'wait' };
}

export const isPending = ({ sent }: Activity): boolean => sent?.status === PENDING;

/** What the list is narrowed to; empty for everything. */
export type Filter = { readonly account: string; readonly origin: string };

export const matches = ({ account, origin }: Activity, filter: Filter): boolean =>
  (filter.account === '' || isSameAddress(account, filter.account)) &&
  (filter.origin === '' || origin === filter.origin);

/** @returns The network of an entry, if it is set up. */
export const chainOf = ({ chainId }: Activity, chains: readonly Chain[]): Chain | undefined =>
  chains.find((chain) => chain.chainId === chainId);

/** What can be looked up: transactions at the network's explorer, user operations on this page. */
export type Trace = { readonly kind: 'transaction' | 'operation'; readonly hash: Hash };

export function tracesOf({ signed, sent }: Activity): readonly Trace[] {
  if (sent !== undefined) {
    const { transactions, userOperation } = sent;
    // The transaction of a user operation is the bundler's, and says less about it.
    return [
      ...(userOperation === undefined ? [] : [{ kind: 'operation', hash: userOperation } as const]),
      ...transactions.map((hash) => ({ kind: 'transaction', hash }) as const),
    ];
  }
  if (signed?.hash === undefined) return [];
  return [{ kind: signed.method === 'eth_signUserOperation' ? 'operation' : 'transaction', hash: signed.hash }];
}
