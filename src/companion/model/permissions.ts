import { type Address } from 'viem';

import { latestState } from '../../clients/ledger-node';
import { NodeClient } from '../../clients/node';
import { type Hex, lowerCase } from '../../core/eth/bytes';
import { candidatesIn, mostRelevant } from '../../core/ledger/candidates';
import { type Holding, holdingCandidates, holdingsAt } from '../../core/ledger/holdings';
import { unpackLogs } from '../../core/ledger/packed-logs';
import { type Permission, permissionsAt } from '../../core/ledger/permissions';
import { type AccountScan, type Search, searchAccount } from './account-scan';
import { readToken, type Token } from './tokens';
import { type Account, type Chain } from './types';
import { counted } from './units';

/** What is known of the permissions and holdings of an account on a network. */
export type PermissionList = AccountScan & {
  readonly permissions: readonly Permission[];
  readonly holdings: readonly Holding[];
  /** By lower-case address; a contract that does not answer as a token is not in it. */
  readonly tokens: ReadonlyMap<string, Token>;
  /** Contracts that did not say what they allow. */
  readonly unread: number;
  /** Permissions that logs speak of and that were not looked at, because there are too many. */
  readonly leftOut: number;
};

/**
 * @param addresses - Some of them more than once.
 * @returns What the contracts of tokens say of themselves, by lower-case address.
 */
export async function tokensOf(addresses: Iterable<Hex>, chain: Chain): Promise<ReadonlyMap<string, Token>> {
  const found = await Promise.all(
    [...new Set(addresses)].map((address) => readToken(chain, address as Address).catch(() => undefined)),
  );
  return new Map(found.flatMap((token) => (token === undefined ? [] : [[token.address.toLowerCase(), token]])));
}

/**
 * Searches the network for the permissions that an account gave, and for what it holds. See {@link searchAccount}.
 *
 * @throws If the node cannot be reached.
 */
export async function findPermissions(account: Account, chain: Chain, search: Search): Promise<PermissionList> {
  const { now, ...found } = await searchAccount(account, chain, search);
  const address = lowerCase(account.address as Hex);
  const logs = unpackLogs(found.state.logs);
  const { chosen, leftOut } = mostRelevant(candidatesIn(logs, address));
  const { permissions, unread } = await permissionsAt(chosen, logs, address, now);
  const holdings = await holdingsAt(holdingCandidates(logs, address), address, now);
  const named = [
    ...permissions.filter(({ kind }) => kind === 'amount' || kind === 'permit2'),
    ...holdings.filter(({ kind }) => kind === 'erc20'),
  ].map(({ token }) => token);
  return {
    ...found,
    permissions,
    holdings,
    tokens: await tokensOf(named, chain),
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
