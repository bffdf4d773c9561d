import { InvalidParamsError } from '../errors';
import { type Hex } from '../eth/bytes';
import { quantityStruct } from '../structs/hex';
import { rule, union } from '../structs/struct';

/** Above this, `v` of a legacy signature does not fit into 64 bits (EIP-2294). */
const MAX_CHAIN_ID = ((1n << 64n) - 1n) / 2n - 36n;

/** A chain id as a hex quantity. Zero still passes here; a signature for it would be valid on every chain. */
export const ChainIdStruct = quantityStruct(MAX_CHAIN_ID, '2^63-37');

/** An EVM chain id in the format of EIP-5792 and EIP-3326: hex without leading zeros. */
export const HexChainStruct = rule<Hex>(
  'must be a chain id as a hex quantity without leading zeros, not zero',
  (value) => ChainIdStruct.is(value) && value !== '0x0',
);

const SCOPE = /^eip155:(0|[1-9][0-9]{0,77})$/u;
const HEX_SCOPE = /^eip155:(0x[0-9a-fA-F]{1,64})$/u;

/**
 * Reads the chain from the scope of a request (CAIP-2).
 *
 * @param scope - `eip155:<decimal>`. MetaMask sends '' for no chain. `eip155:0` means every EVM chain (the scope of
 * EOAs).
 * @returns The chain id, or undefined if the scope names no single chain.
 * @throws {InvalidParamsError} If the scope has any other form.
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
 * Normalizes the scope of a typed-data request. MetaMask copies the chain id from the typed data as the dapp wrote it,
 * possibly in hex.
 *
 * @returns The scope with its chain id in decimal. Other scopes are returned unchanged.
 */
export function typedDataScope(scope: string): string {
  const reference = HEX_SCOPE.exec(scope)?.[1];
  return reference === undefined ? scope : `eip155:${BigInt(reference)}`;
}

/** A CAIP-2 chain id: `eip155:<decimal>`. */
export type ChainName = `eip155:${number}`;

/** A single EVM chain, `eip155:<decimal>`, excluding `eip155:0`, which means every chain. */
export const ChainNameStruct = rule<ChainName>(
  'must be one EVM chain, "eip155:<chain id in decimal>"',
  (value) =>
    typeof value === 'string' &&
    /^eip155:[1-9][0-9]{0,18}$/u.test(value) &&
    BigInt(value.slice('eip155:'.length)) <= MAX_CHAIN_ID,
);

/** @returns The numeric chain id of a CAIP-2 id or a hex quantity. */
export const chainIdOf = (reference: ChainName | Hex): bigint => BigInt(reference.replace('eip155:', ''));

/** @returns The CAIP-2 id of a chain. */
export const chainNameOf = (chainId: bigint): ChainName => `eip155:${chainId}` as ChainName;

/** A single EVM chain in a parameter: a CAIP-2 id or a hex quantity. */
export const ChainReferenceStruct = union(
  [ChainNameStruct, HexChainStruct],
  'must be one EVM chain: "eip155:<chain id in decimal>", or the chain id as a hex quantity',
);

/** @returns The CAIP-2 id of a chain reference. */
export const toChainName = (reference: ChainName | Hex): ChainName => chainNameOf(chainIdOf(reference));
