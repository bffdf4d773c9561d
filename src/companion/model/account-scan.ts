import { get, set } from 'idb-keyval';

import { latestState, ledgerSource } from '../../clients/ledger-node';
import { NodeClient } from '../../clients/node';
import { type Hex, lowerCase } from '../../core/eth/bytes';
import { type CanaryResult, tryCanary } from '../../core/ledger/canary';
import { type ChainState } from '../../core/ledger/chain-state';
import { logsBetween, unpackLogs } from '../../core/ledger/packed-logs';
import { NOTHING_SEARCHED, scan, type ScanProgress, type ScanState } from '../../core/ledger/scan';
import { unloggedChanges, type UnloggedChange } from '../../core/ledger/unlogged';
import { type Account, type Chain } from './types';

/** A scan asks before it goes on for longer. */
const REQUESTS_BEFORE_ASKING = 150;

/**
 * Where this browser keeps what was searched for an account on a node: another node may find more. The version is that
 * of what is kept.
 */
const keyOf = (what: 'scan.3' | 'unlogged.1', { address }: Account, { chainId, rpcUrl }: Chain): string =>
  `keystead.${what}/${chainId}/${rpcUrl}/${address.toLowerCase()}`;

/** What a search does besides its result. */
export type Search = {
  readonly onProgress: (progress: ScanProgress) => void;
  /** Search until the end, however many requests that takes. */
  readonly isWhole: boolean;
  readonly signal: AbortSignal;
};

/** What a search found, and what it rests on. */
export type AccountScan = {
  /** The name of the node. */
  readonly node: string;
  readonly state: ScanState;
  /** The words of a node that does not search further back. */
  readonly refusal: string | undefined;
  /** How many requests the blocks take that were not searched; 0 if there are none. */
  readonly requestsLeft: number;
  readonly canary: CanaryResult;
};

/** What earlier searches found, in this browser. */
export type StoredScan = { readonly state: ScanState; readonly unlogged: readonly UnloggedChange[] };

/** @returns What earlier searches of an account found; undefined if there were none. Asks no node. */
export async function storedScan(account: Account, chain: Chain): Promise<StoredScan | undefined> {
  const state = await get<ScanState>(keyOf('scan.3', account, chain));
  const unlogged = await get<readonly UnloggedChange[]>(keyOf('unlogged.1', account, chain));
  return state && { state, unlogged: unlogged ?? [] };
}

/**
 * Searches the network for the events of an account: from the newest block back, from where the last search stopped.
 * What was found is kept in this browser.
 *
 * @returns The state of the chain at a block up to which it was searched, too.
 * @throws If the node cannot be reached.
 */
export async function searchAccount(
  account: Account,
  chain: Chain,
  { onProgress, isWhole, signal }: Search,
): Promise<AccountScan & { readonly now: ChainState }> {
  const node = new NodeClient({ url: chain.rpcUrl });
  const source = ledgerSource(node);
  const address = lowerCase(account.address as Hex);
  const before = await storedScan(account, chain);
  let last: ScanProgress | undefined;
  let requests = 0;
  const run = async (state: ScanState): Promise<void> => {
    for await (const progress of scan(address, source, state)) {
      last = progress;
      onProgress(progress);
      if (signal.aborted || (!isWhole && requests++ >= REQUESTS_BEFORE_ASKING)) return;
    }
  };
  await run(before?.state ?? NOTHING_SEARCHED);
  let state = last?.state() ?? NOTHING_SEARCHED;
  // A node that falls silent has shown nothing.
  const canary = await tryCanary(state.searched, unpackLogs(state.logs), source).catch((): CanaryResult => ({
    kind: 'none',
  }));
  // What a node searched that does not find what is there was not searched.
  if (canary.kind !== 'missing') await set(keyOf('scan.3', account, chain), state);
  const now = await latestState(node);
  const isComplete = (): boolean =>
    last?.requestsLeft === 0 && last.refusal === undefined && state.refused.length === 0;
  if (isComplete() && last !== undefined && last.head < now.block) {
    await run(state);
    state = last.state();
  }
  if (canary.kind === 'found' && isComplete()) {
    const logs = unpackLogs(logsBetween(state.logs, { from: 0n, to: now.block }));
    await set(keyOf('unlogged.1', account, chain), await unloggedChanges(logs, address, before?.unlogged ?? [], now));
  }
  return {
    node: node.title,
    state,
    refusal: last?.refusal,
    requestsLeft: last?.requestsLeft ?? 0,
    canary,
    now,
  };
}
