import { type Address, erc20Abi, multicall3Abi } from 'viem';
import { getBalance, getCode, multicall } from 'viem/actions';

import { type NodeClient } from './node';
import { type Token } from './tokens';

/** The balances of one account on one network: the native coin, and each token, in their smallest units. */
export type Holdings = {
  readonly coin: bigint;
  /** In the order of the tokens; undefined if the token's contract does not answer. */
  readonly tokens: readonly (bigint | undefined)[];
};

/** The holdings of accounts by lower-case address. */
export type Portfolio = Readonly<Record<string, Holdings>>;

/** Multicall3, at the same address on nearly all networks. */
const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11';

const withMulticall = new Map<string, Promise<boolean>>();

/** Asks the node once for each network, and again after a failure. */
function hasMulticall(node: NodeClient): Promise<boolean> {
  const key = node.uid;
  const found =
    withMulticall.get(key) ??
    getCode(node, { address: MULTICALL3 }).then(
      (code) => code !== undefined,
      (error: unknown) => {
        withMulticall.delete(key);
        throw error;
      },
    );
  withMulticall.set(key, found);
  return found;
}

/**
 * Reads the coin and the tokens of all accounts in one call. Where Multicall3 is not deployed, the tokens are read in
 * one call that brings its code along, and the coin with one call for each account.
 *
 * @throws If the node does not respond.
 */
export async function readPortfolio(
  node: NodeClient,
  accounts: readonly Address[],
  tokens: readonly Token[],
): Promise<Portfolio> {
  const ofTokens = accounts.flatMap((account) =>
    tokens.map(
      ({ address }) => ({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] as const }) as const,
    ),
  );
  const ofCoin = accounts.map(
    (account) =>
      ({ address: MULTICALL3, abi: multicall3Abi, functionName: 'getEthBalance', args: [account] as const }) as const,
  );
  const [coins, balances] = (await hasMulticall(node))
    ? await readAtOnce(node, ofCoin, ofTokens)
    : await Promise.all([
        Promise.all(accounts.map((address) => getBalance(node, { address }))),
        ofTokens.length === 0
          ? []
          : multicall(node, { contracts: ofTokens, deployless: true }).then((all) => all.map(resultOf)),
      ]);
  return Object.fromEntries(
    accounts.map((account, index) => [
      account.toLowerCase(),
      {
        coin: coins[index] ?? 0n,
        tokens: balances.slice(index * tokens.length, (index + 1) * tokens.length),
      },
    ]),
  );
}

type Result = { readonly status: 'success'; readonly result: bigint } | { readonly status: 'failure' };
const resultOf = (one: Result): bigint | undefined => (one.status === 'success' ? one.result : undefined);

async function readAtOnce<Coin, OfToken>(
  node: NodeClient,
  ofCoin: readonly Coin[],
  ofTokens: readonly OfToken[],
): Promise<[(bigint | undefined)[], (bigint | undefined)[]]> {
  const all = (await multicall(node, {
    contracts: [...ofCoin, ...ofTokens] as never,
    multicallAddress: MULTICALL3,
  })) as readonly Result[];
  const results = all.map(resultOf);
  return [results.slice(0, ofCoin.length), results.slice(ofCoin.length)];
}

/** @returns The holdings of some of the accounts. */
export const holdingsOf = (portfolio: Portfolio, accounts: readonly { readonly address: string }[]): Portfolio =>
  Object.fromEntries(
    Object.entries(portfolio).filter(([owner]) => accounts.some(({ address }) => address.toLowerCase() === owner)),
  );

/** @returns The sum of everything that the accounts have. A token that does not answer counts as none. */
export function totalOf(portfolio: Portfolio, tokens: readonly Token[]): Holdings {
  const all = Object.values(portfolio);
  const sum = (values: readonly (bigint | undefined)[]): bigint =>
    values.reduce<bigint>((total, value) => total + (value ?? 0n), 0n);
  return {
    coin: sum(all.map(({ coin }) => coin)),
    tokens: tokens.map((_token, index) => sum(all.map((holdings) => holdings.tokens[index]))),
  };
}
