import { type Address, erc20Abi } from 'viem';
import { multicall } from 'viem/actions';

import { isSameAddress } from '../../core/eth/address';
import { nodeOf } from './node';
import { listOf, stored } from './stored';
import { type Chain } from './types';

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

export function unwatchToken(token: Token): void {
  watchedTokens.write(watchedTokens.read().filter((other) => !isSame(other, token)));
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
