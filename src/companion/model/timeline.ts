import { type Hash } from 'viem';

import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { type HistoryEntry, type Payment, withOwnCoins } from '../../core/ledger/history';
import { type UnloggedChange } from '../../core/ledger/unlogged';
import { type Activity, type Filter } from './activity';
import { type Account, type Chain } from './types';

/** What earlier searches found of an account on a network. */
export type Found = {
  readonly account: Account;
  readonly chain: Chain;
  /** The newest first. */
  readonly history: readonly HistoryEntry[];
  readonly unlogged: readonly UnloggedChange[];
};

/** What a node says of a transaction. */
export type Facts = {
  readonly block: bigint;
  /** When it was included, in milliseconds since 1970. */
  readonly at: number;
  readonly hasFailed: boolean;
  /** wei; with who paid it: absent if it was another address. */
  readonly fee: bigint;
  readonly payer?: 'paymaster' | 'account';
  /** What the account itself sent in it. */
  readonly payments: readonly Payment[];
};

/** @returns The name under which the facts of a transaction are kept: two accounts pay different parts of its fee. */
export const factsKey = (chainId: string, account: string, hash: Hash): string =>
  `${chainId}/${account.toLowerCase()}/${hash}`;

/** One thing that happened: it was signed or sent with Keystead, it is on the network, or both. */
export type Row = {
  readonly key: string;
  readonly account: string;
  readonly chainId: string | undefined;
  /** In milliseconds since 1970; undefined while no node has said it. */
  readonly at: number | undefined;
  readonly activity?: Activity;
  /** What changed. */
  readonly entry?: HistoryEntry;
  readonly change?: UnloggedChange;
  readonly facts?: Facts;
};

type AllFacts = ReadonlyMap<string, Facts>;

/** The transaction of an entry, if it has one only. */
export const transactionOf = ({ sent }: Activity): Hash | undefined =>
  sent?.transactions.length === 1 && sent.status !== 100 ? sent.transactions[0] : undefined;

function changeOf(
  entry: HistoryEntry | undefined,
  account: string,
  hash: Hash,
  facts: Facts | undefined,
): HistoryEntry | undefined {
  if (facts === undefined) return entry;
  // A transaction that failed has sent nothing.
  if (facts.hasFailed) return undefined;
  const { block, payments } = facts;
  return withOwnCoins(entry, { transaction: hash, block, payments }, account as Hex);
}

/** Rows without a time are the newest of the network: their block was not looked up yet. */
const byTime = (a: Row, b: Row): number => (b.at ?? Infinity) - (a.at ?? Infinity) || 0;

/**
 * Joins what was signed and sent with what the network has: one transaction of an account is one row.
 *
 * @returns The newest first.
 */
export function timelineOf(activities: readonly Activity[], found: readonly Found[], facts: AllFacts): readonly Row[] {
  const onChain = new Map<string, HistoryEntry>();
  for (const { account, chain, history } of found)
    for (const entry of history)
      onChain.set(factsKey(chain.chainId, account.address, entry.transaction as Hash), entry);
  const own = activities.map((activity, index): Row => {
    const { account, chainId, at } = activity;
    const row = { key: `${at}-${index}`, account, chainId, at, activity };
    const hash = transactionOf(activity);
    if (hash === undefined || chainId === undefined) return row;
    const key = factsKey(chainId, account, hash);
    const known = facts.get(key);
    const entry = changeOf(onChain.get(key), account, hash, known);
    // Two operations may be in one transaction: the first shows what it changed.
    onChain.delete(key);
    return { ...row, ...(entry && { entry }), ...(known && { facts: known }) };
  });
  const others = found.flatMap(({ account: { address }, chain: { chainId }, history, unlogged }): Row[] => [
    ...history.flatMap((each) => {
      const hash = each.transaction as Hash;
      const key = factsKey(chainId, address, hash);
      if (!onChain.has(key)) return [];
      const known = facts.get(key);
      const entry = changeOf(each, address, hash, known);
      return [
        { key, account: address, chainId, at: known?.at, ...(entry && { entry }), ...(known && { facts: known }) },
      ];
    }),
    ...unlogged.map((change) => ({
      key: `${chainId} ${address} ${change.token} ${change.block}`,
      account: address,
      chainId,
      at: Number(change.time) * 1000,
      change,
    })),
  ]);
  return [...own, ...others].sort(byTime);
}

/** @returns Whether a row is of the account and site of a filter. Only what was asked for with Keystead has a site. */
export const isIn = ({ account, activity }: Row, filter: Filter): boolean =>
  (filter.account === '' || isSameAddress(account, filter.account)) &&
  (filter.origin === '' || activity?.origin === filter.origin);
