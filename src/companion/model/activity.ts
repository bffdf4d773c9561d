import { type Hash } from 'viem';

import { type Progress, PROGRESS, progressOf } from '../../core/calls/progress';
import { type Activity as Reported } from '../../core/methods/results';
import { type Chain } from './types';

/**
 * The state of something that was signed and given out, as its network knows it: nothing, waiting for a block, or how
 * it ended. Nothing is known of what was not sent, was replaced by another transaction, or went to another bundler.
 */
export type Fate = 'unseen' | 'waiting' | 'confirmed' | 'failed';

/** Something that was signed or sent, with the answer of the network once this page has looked. */
export type Activity = Reported & { readonly fate?: Fate };

const PENDING = 100;

const SIGNED: Readonly<Record<string, string>> = {
  personal_sign: 'Signed a message',
  eth_signTypedData_v4: 'Signed typed data',
  eth_signTransaction: 'Signed a transaction',
  eth_signUserOperation: 'Signed a user operation',
};

const SENT: Readonly<Record<string, string>> = {
  eth_signTransaction: 'Sent a transaction',
  eth_signUserOperation: 'Sent a user operation',
};

/** @returns What was done, in words. */
export function whatOf({ signed, sent, fate = 'unseen' }: Activity): string {
  const method = signed?.method ?? 'unknown';
  if (sent === undefined)
    return (fate === 'unseen' ? undefined : SENT[method]) ?? SIGNED[method] ?? `Signed (${method})`;
  if (sent.isWaiting === true) return sent.calls === 1 ? 'Proposed a transaction' : `Proposed ${sent.calls} calls`;
  return sent.calls === 1 ? 'Sent a transaction' : `Sent ${sent.calls} calls`;
}

/** Nothing is known of a signature that its receiver has not sent yet. */
const SIGNED_ONLY: Pick<Progress, 'badge' | 'tone'> = { badge: 'Signed', tone: 'success' };

const FATES: Readonly<Record<Fate, Pick<Progress, 'badge' | 'tone'>>> = {
  unseen: SIGNED_ONLY,
  waiting: PROGRESS.seen,
  confirmed: PROGRESS.included,
  failed: PROGRESS.failed,
};

/** @returns How far it has come, in the words of every screen; for a signature, as far as the network shows it. */
export const statusOf = ({ sent, fate = 'unseen' }: Activity): Pick<Progress, 'badge' | 'tone'> & Partial<Progress> =>
  sent === undefined ? FATES[fate] : progressOf(sent);

export const isPending = ({ sent }: Activity): boolean => sent?.status === PENDING;

/** MetaMask passes requests of sites on under its own name, and does not say which site asked. */
const METAMASK = 'metamask';

/** @returns Who asked, for people. @param page - The origin of this page. */
export function siteName(origin: string, page: string): string {
  if (origin === page) return 'This page';
  if (origin === METAMASK) return 'Asked through MetaMask';
  return origin === 'Unknown' ? 'Unknown site' : origin.replace(/^https:\/\//u, '');
}

/** The filter of the list; empty for everything. */
export type Filter = { readonly account: string; readonly origin: string };

/** @returns The network of an entry, if it is set up. */
export const chainOf = ({ chainId }: Activity, chains: readonly Chain[]): Chain | undefined =>
  chains.find((chain) => chain.chainId === chainId);

/** The kinds of what can be looked up: transactions at the network's explorer, user operations on this page. */
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
