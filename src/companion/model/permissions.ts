import { get, set } from 'idb-keyval';
import { type Address } from 'viem';

import { latestState, ledgerSource } from '../../clients/ledger-node';
import { NodeClient } from '../../clients/node';
import { type Hex, lowerCase } from '../../core/eth/bytes';
import { type CanaryResult, tryCanary } from '../../core/ledger/canary';
import { candidatesIn, mostRelevant } from '../../core/ledger/candidates';
import { type HistoryEntry, historyOf } from '../../core/ledger/history';
import { type Holding, holdingCandidates, holdingsAt, usedTokens } from '../../core/ledger/holdings';
import { type Permission, permissionsAt } from '../../core/ledger/permissions';
import { NOTHING_SEARCHED, scan, type ScanProgress, type ScanState } from '../../core/ledger/scan';
import { readToken, type Token } from './tokens';
import { type Account, type Chain } from './types';
import { counted } from './units';

/** A scan asks before it goes on for longer. */
const REQUESTS_BEFORE_ASKING = 150;

/** The tokens of so many entries of the history are asked for their names. */
const MAX_NAMED = 100;

/**
 * Where this browser keeps what was searched for an account on a node: another node may find more. The version is that
 * of the state.
 */
const keyOf = ({ address }: Account, { chainId, rpcUrl }: Chain): string =>
  `keystead.scan.1/${chainId}/${rpcUrl}/${address.toLowerCase()}`;

/** What is known of the permissions and holdings of an account on a network. */
export type PermissionList = {
  readonly node: string;
  readonly state: ScanState;
  /** The words of a node that does not search further back. */
  readonly refusal: string | undefined;
  /** How many requests the blocks take that were not searched; 0 if there are none. */
  readonly requestsLeft: number;
  readonly canary: CanaryResult;
  readonly permissions: readonly Permission[];
  readonly holdings: readonly Holding[];
  /** The newest first. */
  readonly history: readonly HistoryEntry[];
  /** By lower-case address; a contract that does not answer as a token is not in it. */
  readonly tokens: ReadonlyMap<string, Token>;
  /** Contracts that did not say what they allow. */
  readonly unread: number;
  /** Permissions that logs speak of and that were not looked at, because there are too many. */
  readonly leftOut: number;
};

/** What a search does besides its result. */
export type Search = {
  readonly onProgress: (progress: ScanProgress) => void;
  /** Search until the end, however many requests that takes. */
  readonly isWhole: boolean;
  readonly signal: AbortSignal;
};

/** What the contracts of tokens say of themselves. */
async function tokensOf(
  permissions: readonly Permission[],
  holdings: readonly Holding[],
  history: readonly HistoryEntry[],
  chain: Chain,
): Promise<ReadonlyMap<string, Token>> {
  const addresses = new Set([
    ...permissions.filter(({ kind }) => kind === 'amount' || kind === 'permit2').map(({ token }) => token),
    ...holdings.filter(({ kind }) => kind === 'erc20').map(({ token }) => token),
    ...history
      .slice(0, MAX_NAMED)
      .flatMap(({ movements, grants }) => [
        ...movements.map(({ asset }) => asset).filter(({ kind }) => kind === 'erc20'),
        ...grants.map(({ allowance }) => allowance).filter(({ kind }) => kind === 'amount'),
      ])
      .map(({ token }) => token),
  ]);
  const found = await Promise.all(
    [...addresses].map((address) => readToken(chain, address as Address).catch(() => undefined)),
  );
  return new Map(found.flatMap((token) => (token === undefined ? [] : [[token.address.toLowerCase(), token]])));
}

/**
 * Searches the network for the permissions that an account gave: from the newest block back, from where the last search
 * stopped. What was found is kept in this browser.
 *
 * @throws If the node cannot be reached.
 */
export async function findPermissions(
  account: Account,
  chain: Chain,
  { onProgress, isWhole, signal }: Search,
): Promise<PermissionList> {
  const node = new NodeClient({ url: chain.rpcUrl });
  const source = ledgerSource(node);
  const address = lowerCase(account.address as Hex);
  const key = keyOf(account, chain);
  const before = (await get<ScanState>(key)) ?? NOTHING_SEARCHED;
  let last: ScanProgress | undefined;
  let requests = 0;
  for await (const progress of scan(address, source, before)) {
    last = progress;
    onProgress(progress);
    if (signal.aborted || (!isWhole && requests++ >= REQUESTS_BEFORE_ASKING)) break;
  }
  const state = last?.state() ?? before;
  const { logs, searched } = state;
  // A node that falls silent has shown nothing.
  const canary = await tryCanary(searched, logs, source).catch((): CanaryResult => ({ kind: 'none' }));
  // What a node searched that does not find what is there was not searched.
  if (canary.kind !== 'missing') await set(key, state);
  const now = await latestState(node);
  const { chosen, leftOut } = mostRelevant(candidatesIn(logs, address));
  const { permissions, unread } = await permissionsAt(chosen, logs, address, now);
  const history = historyOf(logs, address, usedTokens(logs, address));
  const holdings = await holdingsAt(holdingCandidates(logs, address), address, now);
  return {
    node: node.title,
    state,
    refusal: last?.refusal,
    requestsLeft: last?.requestsLeft ?? 0,
    canary,
    permissions,
    holdings,
    history,
    tokens: await tokensOf(permissions, holdings, history, chain),
    unread: unread.length,
    leftOut,
  };
}

/**
 * Asks the network whether permissions that were taken back are gone.
 *
 * @returns How many are, in words.
 * @throws If some still hold, or the node does not say.
 */
export async function takenBack(taken: readonly Permission[], account: Account, chain: Chain): Promise<string> {
  const node = new NodeClient({ url: chain.rpcUrl });
  const candidates = taken.map(({ kind, token, spender, id, since }) => ({
    kind,
    token,
    spender,
    since: since.block,
    ...(id !== undefined && { id }),
  }));
  const state = await latestState(node);
  const { permissions, unread } = await permissionsAt(candidates, [], account.address as Hex, state);
  if (permissions.length > 0)
    throw new Error(
      `The network included it, but ${permissions.length} of ${taken.length} still hold, says ${node.title}. Search again.`,
    );
  if (unread.length > 0)
    throw new Error(`The network included it. ${counted(unread.length, 'contract')} did not say whether it is gone.`);
  return `Took back ${counted(taken.length, 'permission')}: ${node.title} says that nothing of it is left.`;
}
