import { type Hex } from '../../eth/bytes';
import { type DeclaredAsset, type DeclaredToken } from '../effects/outcome';
import { type WordScene } from '../scene';
import { glanced } from '../words/glance';
import { networkIn } from '../words/units';
import { entryOf, type KnownToken, contractKey, type Token } from './contract-metadata';

/**
 * The most used tokens, by chain and lower-case address. A bundled file lists more. Amounts of all others are shown in
 * their smallest unit. Source: `symbol()` and `decimals()` of the contracts.
 */
const TOKENS: Readonly<Record<string, readonly [symbol: string, decimals: number]>> = {
  '1:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48': ['USDC', 6],
  '1:0xdac17f958d2ee523a2206206994597c13d831ec7': ['USDT', 6],
  '1:0x6b175474e89094c44da98b954eedeac495271d0f': ['DAI', 18],
  '1:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2': ['WETH', 18],
  '1:0x2260fac5e5542a773aa44fbcfedf7c193bc2c599': ['WBTC', 8],
  '1:0xae7ab96520de3a18e5e111b5eaab095312d7fe84': ['stETH', 18],
  '10:0x0b2c639c533813f4aa9d7837caf62653d097ff85': ['USDC', 6],
  '10:0x4200000000000000000000000000000000000006': ['WETH', 18],
  '137:0x3c499c542cef5e3811e1192ce70d8cc03d5c3359': ['USDC', 6],
  '8453:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913': ['USDC', 6],
  '8453:0x4200000000000000000000000000000000000006': ['WETH', 18],
  '42161:0xaf88d065e77c8cc2239327c5edb3a432268e5831': ['USDC', 6],
  '42161:0x82af49447d8a07e3bd95bd0d56f35241523fbab1': ['WETH', 18],
};

/** @returns The token, if it is on the short list or in the bundled one. */
export function listedToken(
  address: Hex,
  chainId: bigint,
  bundled: Readonly<Record<string, Token>>,
): Token | undefined {
  const key = contractKey(chainId, address);
  const short = entryOf(TOKENS, key);
  return short === undefined ? entryOf(bundled, key) : { symbol: short[0], decimals: short[1] };
}

function lookUp(address: Hex, chainId: bigint, { view, findings }: WordScene): KnownToken | undefined {
  const tokens = view.contractMetadata?.tokens;
  const found = listedToken(address, chainId, tokens ?? {});
  if (found === undefined && tokens === undefined) findings.lookUp({ kind: 'tokens' });
  return found && { ...found, isDeclared: false };
}

/** @returns The token, if it is on the short list or in the bundled file. */
export function tokenAt(address: Hex, scene: WordScene): KnownToken | undefined {
  const { chainId, findings } = scene;
  if (chainId === undefined) return undefined;
  const key = `${chainId}:${address}`;
  const before = findings.tokens.get(key);
  if (before !== undefined || findings.tokens.has(key)) return before;
  const token = lookUp(address, chainId, scene);
  findings.tokens.set(key, token);
  return token;
}

/** The statement of an asset's contract about itself, unless it is a known token. */
function declaredAt(address: Hex, { chainId, view, findings }: WordScene): DeclaredAsset | undefined {
  const { tokens, declared = {} } = view.contractMetadata ?? {};
  // Contracts are asked only after the bundled file.
  if (chainId === undefined || tokens === undefined) return undefined;
  const found = entryOf(declared, contractKey(chainId, address));
  if (found === undefined) findings.lookUp({ kind: 'token', chainId: String(chainId), address });
  return found ?? undefined;
}

/** The symbol and decimals that an unknown token states. Anyone can deploy a token with any symbol. */
export function declaredTokenAt(address: Hex, scene: WordScene): DeclaredToken | undefined {
  const found = declaredAt(address, scene);
  return found === 'erc721' ? undefined : found;
}

/** @returns Whether a contract says that it is a collection of NFTs (ERC-721). A known token never is one. */
export const isCollection = (address: Hex, scene: WordScene): boolean =>
  tokenAt(address, scene) === undefined && declaredAt(address, scene) === 'erc721';

/**
 * @returns Whether a known token of the network has this symbol, or one that reads the same at a glance: in other case,
 * with dots, spaces or invisible characters, or with letters of other scripts.
 */
export function isKnownSymbol(symbol: string, { chainId, view }: WordScene): boolean {
  if (chainId === undefined) return false;
  const network = { chainId, coin: networkIn({ view }, chainId).symbol };
  return isTaken(symbol, network, view.contractMetadata?.tokens ?? NO_TOKENS);
}

/** A network, and the symbol of its coin. */
type CoinNetwork = { readonly chainId: bigint; readonly coin: string };
export type KnownTokens = Readonly<Record<string, Token>>;

type SymbolsByChain = ReadonlyMap<string, ReadonlySet<string>>;
const NO_TOKENS: KnownTokens = {};
/** The symbols of a list as they read at a glance, by chain. They are compared for each amount of an unknown token. */
const glancedSymbols = new WeakMap<KnownTokens, SymbolsByChain>();

function symbolsOf(tokens: KnownTokens): SymbolsByChain {
  const before = glancedSymbols.get(tokens);
  if (before !== undefined) return before;
  const byChain = new Map<string, Set<string>>();
  const own = Object.entries(TOKENS).map(([key, [symbol]]) => [key, symbol] as const);
  for (const [key, symbol] of [...own, ...Object.entries(tokens).map(([at, token]) => [at, token.symbol] as const)]) {
    const chain = key.slice(0, key.indexOf(':'));
    const symbols = byChain.get(chain) ?? new Set();
    byChain.set(chain, symbols.add(glanced(symbol)));
  }
  glancedSymbols.set(tokens, byChain);
  return byChain;
}

/** @returns Whether the network's coin or one of its known tokens has the symbol. */
function isTaken(symbol: string, { chainId, coin }: CoinNetwork, tokens: KnownTokens): boolean {
  const wanted = glanced(symbol);
  if (wanted === '') return false;
  return glanced(coin) === wanted || symbolsOf(tokens).get(String(chainId))?.has(wanted) === true;
}

/**
 * @param tokens - The bundled file of known tokens.
 * @returns Whether a token is on the short list or in the file.
 */
export function isListed(address: Hex, chainId: bigint, tokens: KnownTokens): boolean {
  return listedToken(address, chainId, tokens) !== undefined;
}

/**
 * @param tokens - The bundled file of known tokens.
 * @returns Whether a token that is not known itself has the symbol of the network's coin or of a known token.
 */
export function isCopiedSymbol(symbol: string, address: Hex, network: CoinNetwork, tokens: KnownTokens): boolean {
  return !isListed(address, network.chainId, tokens) && isTaken(symbol, network, tokens);
}
