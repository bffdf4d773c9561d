import { get, set } from 'idb-keyval';
import { useEffect, useState } from 'preact/hooks';
import { type Hash } from 'viem';
import { getBlock, getTransaction } from 'viem/actions';

import { type Hex, lowerCase } from '../../core/eth/bytes';
import { historyOf } from '../../core/ledger/history';
import { usedTokens } from '../../core/ledger/holdings';
import { unpackLogs } from '../../core/ledger/packed-logs';
import { storedScan } from './account-scan';
import { type Activity } from './activity';
import { inclusionOf } from './inclusion';
import { paymentsIn } from './payments';
import { nodeOf } from './node';
import { tokensOf } from './permissions';
import { type Facts, factsKey, type Found, transactionOf } from './timeline';
import { type Token } from './tokens';
import { type Account, type Chain } from './types';
import { isOnChain } from './usable';

/** The newest transactions of an account on a network, so many, are looked up. */
const MAX_LOOKED_UP = 50;
const AT_ONCE = 5;

/** What searches found, and the network's word on the newest transactions. */
export type History = {
  readonly found: readonly Found[];
  readonly facts: ReadonlyMap<string, Facts>;
  /** By network and lower-case address of the token. */
  readonly tokens: ReadonlyMap<string, Token>;
  /** The networks that logged a transfer of coins. */
  readonly logsCoins: ReadonlySet<string>;
};

const NOTHING: History = { found: [], facts: new Map(), tokens: new Map(), logsCoins: new Set() };

/** @returns The name under which a token of a network is kept. */
export const tokenKey = (chainId: string, token: string): string => `${chainId}/${token.toLowerCase()}`;

type Lookup = { readonly chain: Chain; readonly account: string; readonly hash: Hash };

async function factsOf({ chain, account, hash }: Lookup): Promise<Facts> {
  const name = `keystead.facts.2/${chain.rpcUrl}/${factsKey(chain.chainId, account, hash)}`;
  const known = await get<Facts>(name);
  if (known !== undefined) return known;
  const node = nodeOf(chain);
  const { block, fee, payer, hasFailed, operations } = await inclusionOf(chain, account, hash);
  const transaction = await getTransaction(node, { hash });
  const { timestamp } = await getBlock(node, { blockNumber: block });
  const facts: Facts = {
    block,
    at: Number(timestamp) * 1000,
    hasFailed,
    fee,
    ...(payer && { payer }),
    payments: paymentsIn(transaction, account as Hex, operations),
  };
  await set(name, facts);
  return facts;
}

/** The searches that this browser keeps. Asks no node. */
async function readFound(accounts: readonly Account[], chains: readonly Chain[]) {
  const logsCoins = new Set<string>();
  const found: Found[] = [];
  for (const chain of chains)
    for (const account of accounts.filter((each) => isOnChain(each, chain))) {
      const stored = await storedScan(account, chain);
      if (stored === undefined) continue;
      const { state, unlogged } = stored;
      const address = lowerCase(account.address as Hex);
      const logs = unpackLogs(state.logs);
      const history = historyOf(logs, address, usedTokens(logs, address));
      found.push({ account, chain, history, unlogged });
      if (history.some(({ coins }) => coins !== 0n)) logsCoins.add(chain.chainId);
    }
  return { found, logsCoins };
}

function lookupsOf(found: readonly Found[], activities: readonly Activity[], chains: readonly Chain[]): Lookup[] {
  const own = activities.slice(0, MAX_LOOKED_UP).flatMap((activity) => {
    const hash = transactionOf(activity);
    const chain = chains.find(({ chainId }) => chainId === activity.chainId);
    return hash === undefined || chain === undefined ? [] : [{ chain, account: activity.account, hash }];
  });
  const searched = found.flatMap(({ account, chain, history }) =>
    history
      .slice(0, MAX_LOOKED_UP)
      .map(({ transaction }) => ({ chain, account: account.address, hash: transaction as Hash })),
  );
  return [...own, ...searched];
}

async function namesOf(found: readonly Found[]): Promise<ReadonlyMap<string, Token>> {
  const all = new Map<string, Token>();
  for (const { chain, history, unlogged } of found) {
    const named = history
      .slice(0, MAX_LOOKED_UP)
      .flatMap(({ movements, grants }) => [
        ...movements.map(({ asset }) => asset).filter(({ kind }) => kind === 'erc20'),
        ...grants.map(({ allowance }) => allowance).filter(({ kind }) => kind === 'amount'),
      ]);
    const tokens = await tokensOf(
      [...named, ...unlogged].map(({ token }) => token),
      chain,
    );
    for (const [address, token] of tokens) all.set(tokenKey(chain.chainId, address), token);
  }
  return all;
}

/**
 * What earlier searches found of the accounts, at once; then what the nodes say of the newest transactions.
 *
 * @param searches - Changes when another search has ended.
 */
export function useHistory(
  accounts: readonly Account[],
  chains: readonly Chain[],
  activities: readonly Activity[],
  searches: number,
): History {
  const [history, setHistory] = useState(NOTHING);
  const hashes = activities.map(transactionOf).join();
  useEffect(() => {
    let isShown = true;
    const look = async (): Promise<void> => {
      const { found, logsCoins } = await readFound(accounts, chains);
      const show = (more: Partial<History>): void => {
        if (isShown) setHistory((before) => ({ ...before, found, logsCoins, ...more }));
      };
      show({});
      const lookups = lookupsOf(found, activities, chains);
      const facts = new Map<string, Facts>();
      for (let start = 0; isShown && start < lookups.length; start += AT_ONCE) {
        const part = lookups.slice(start, start + AT_ONCE);
        // A node that does not answer leaves rows without time and fee.
        const answers = await Promise.all(part.map(async (one) => factsOf(one).catch(() => undefined)));
        for (const [at, { chain, account, hash }] of part.entries()) {
          const answer = answers[at];
          if (answer !== undefined) facts.set(factsKey(chain.chainId, account, hash), answer);
        }
        if (answers.every((answer) => answer === undefined)) break;
      }
      show({ facts });
      show({ tokens: await namesOf(found) });
    };
    void look();
    return () => {
      isShown = false;
    };
  }, [accounts, chains, hashes, searches]);
  return history;
}
