import { InvalidParamsError } from '../errors';
import { type Hex } from '../eth/bytes';
import { quantityStruct } from './hex';
import { rule, union } from './struct';

/** EIP-2294: beyond this, `v` of a legacy signature no longer fits 64 bits. */
const MAX_CHAIN_ID = ((1n << 64n) - 1n) / 2n - 36n;

/** A chain id as a hex quantity. Zero is no chain: a signature for it would be valid on all of them. */
export const ChainIdStruct = quantityStruct(MAX_CHAIN_ID, '2^63-37');

/** One EVM chain by its id, as EIP-5792 and EIP-3326 write it: hex without leading zeros. */
export const HexChainStruct = rule<Hex>(
  'must be a chain id as a hex quantity without leading zeros, not zero',
  (value) => ChainIdStruct.is(value) && value !== '0x0',
);

const SCOPE = /^eip155:(0|[1-9][0-9]{0,77})$/u;
const HEX_SCOPE = /^eip155:(0x[0-9a-fA-F]{1,64})$/u;

/**
 * The chain that a request's scope names (CAIP-2).
 *
 * @param scope - `eip155:<decimal>`; MetaMask also sends '' for no chain. `eip155:0` stands for every EVM chain
 * (CAIP-2 of EOAs).
 * @returns The chain id, or undefined where the scope names none.
 * @throws {InvalidParamsError} On any other text.
 */
export function chainOfScope(scope: string): bigint | undefined {
  if (scope === '') return undefined;
  const reference = SCOPE.exec(scope)?.[1];
  if (reference === undefined)
    throw new InvalidParamsError('scope', 'must be an EVM chain, "eip155:<chain id in decimal>", or empty');
  const chainId = BigInt(reference);
  return chainId === 0n ? undefined : chainId;
}

/**
 * The scope of a request to sign typed data. MetaMask copies the chain id of the typed data into it as the dapp wrote
 * it, which may be in hex.
 *
 * @returns The scope with its chain id in decimal. Other scopes are returned as they are.
 */
export function typedDataScope(scope: string): string {
  const reference = HEX_SCOPE.exec(scope)?.[1];
  return reference === undefined ? scope : `eip155:${BigInt(reference)}`;
}

/** A chain by name: `eip155:<decimal>` (CAIP-2). */
export type ChainName = `eip155:${number}`;

/** One EVM chain by name, `eip155:<decimal>`; not `eip155:0`, which stands for all. */
export const ChainNameStruct = rule<ChainName>(
  'must be one EVM chain, "eip155:<chain id in decimal>"',
  (value) =>
    typeof value === 'string' &&
    /^eip155:[1-9][0-9]{0,18}$/u.test(value) &&
    BigInt(value.slice('eip155:'.length)) <= MAX_CHAIN_ID,
);

/** @returns The chain id of a name, or of a hex quantity. */
export const chainIdOf = (reference: ChainName | Hex): bigint => BigInt(reference.replace('eip155:', ''));

/** @returns The name of a chain. */
export const chainNameOf = (chainId: bigint): ChainName => `eip155:${chainId}` as ChainName;

/** One EVM chain in a parameter: by name, or by its id as a hex quantity. */
export const ChainReferenceStruct = union(
  [ChainNameStruct, HexChainStruct],
  'must be one EVM chain: "eip155:<chain id in decimal>", or the chain id as a hex quantity',
);

/** @returns The chain's name. */
export const toChainName = (reference: ChainName | Hex): ChainName => chainNameOf(chainIdOf(reference));
