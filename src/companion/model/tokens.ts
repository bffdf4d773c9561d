import { type Address, erc20Abi } from 'viem';
import { multicall } from 'viem/actions';

import { isSameAddress } from '../../core/eth/address';
import { type ChainName } from '../../core/schemas/chain';
import { nodeOf } from './node';
import { listOf, stored } from './stored';
import { type SnapClient } from './snap-client';
import { type WatchedToken } from '../../core/methods/results';
import { type Chain } from './types';
import { hexChainOf } from './units';

/** An ERC-20 token that the page shows the balances of. */
export type Token = {
  /** CAIP-2. */
  readonly chainId: string;
  readonly address: Address;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
};

const MAX_SYMBOL = 11;
const MAX_NAME = 40;

const isToken = (entry: unknown): entry is Token => {
  const { chainId, address, symbol, name, decimals } = (entry ?? {}) as Partial<Record<keyof Token, unknown>>;
  return (
    [chainId, symbol, name].every((text) => typeof text === 'string') &&
    /^0x[0-9a-f]{40}$/iu.test(String(address)) &&
    Number.isInteger(decimals)
  );
};

/** The tokens that this page watches, on every network. */
export const watchedTokens = stored('keystead.tokens', listOf(isToken), []);

const isSame = (a: Pick<Token, 'chainId' | 'address'>, b: Pick<Token, 'chainId' | 'address'>): boolean =>
  a.chainId === b.chainId && isSameAddress(a.address, b.address);

export function watchToken(token: Token): void {
  watchedTokens.write([...watchedTokens.read().filter((other) => !isSame(other, token)), token]);
}

/** Stops watching a token, here and in the snap. */
export async function unwatchToken(client: SnapClient, { chainId, address }: Token): Promise<void> {
  const token = { chainId, address };
  watchedTokens.write(watchedTokens.read().filter((other) => !isSame(other, token)));
  await client.dapp('keystead_removeToken', { address, chainId: chainId as ChainName });
}

/** @returns The tokens that only this page has, so that no backup does. */
export const tokensOnlyHere = (
  here: readonly Token[],
  inSnap: readonly WatchedToken[],
  chains: readonly Chain[],
): readonly Token[] =>
  here.filter(
    (token) => !inSnap.some((other) => isSame(token, other)) && chains.some(({ chainId }) => chainId === token.chainId),
  );

/** Has the snap watch tokens too. It asks about each, and reads what its contract says of itself. */
export async function keepTokens(client: SnapClient, tokens: readonly Token[], account: string): Promise<void> {
  await client.useAccount(account);
  for (const { chainId, address, symbol, decimals } of tokens) {
    await client.useChain(hexChainOf(chainId));
    await client.dapp('wallet_watchAsset', { type: 'ERC20', options: { address, symbol, decimals } });
  }
}

/** @returns The tokens of a network that are watched on this page or in the snap, each once. */
export function tokensOn(
  chainId: string | undefined,
  here: readonly Token[],
  inSnap: readonly WatchedToken[],
): readonly Token[] {
  const others = inSnap
    .filter((token) => !here.some((other) => isSame(other, token)))
    .map((token) => ({ ...token, name: token.symbol }));
  return [...here, ...others].filter((token) => token.chainId === chainId);
}

/** Contracts choose their own names: keep them short, and without what changes how the text around them reads. */
const tidy = (text: string, most: number): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, most);

/**
 * Reads what a token's contract says about itself.
 *
 * @throws If the contract does not answer as a token (ERC-20) does.
 */
export async function readToken(chain: Chain, address: Address): Promise<Token> {
  const read = { address, abi: erc20Abi } as const;
  const [symbol, name, decimals] = await multicall(nodeOf(chain), {
    deployless: true,
    contracts: [
      { ...read, functionName: 'symbol' },
      { ...read, functionName: 'name' },
      { ...read, functionName: 'decimals' },
    ],
  });
  if (symbol.status === 'failure' || decimals.status === 'failure' || tidy(symbol.result, MAX_SYMBOL) === '')
    throw new Error('Token address: no token (ERC-20) answers at this address on this network.');
  const short = tidy(symbol.result, MAX_SYMBOL);
  return {
    chainId: chain.chainId,
    address,
    symbol: short,
    name: (name.status === 'success' && tidy(name.result, MAX_NAME)) || short,
    decimals: decimals.result,
  };
}
