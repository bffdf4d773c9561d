import { InvalidParamsError } from '../errors';
import { quantityStruct } from './hex';

/** EIP-2294: beyond this, `v` of a legacy signature no longer fits 64 bits. */
const MAX_CHAIN_ID = ((1n << 64n) - 1n) / 2n - 36n;

/** A chain id as a hex quantity. Zero is no chain: a signature for it would be valid on all of them. */
export const ChainIdStruct = quantityStruct(MAX_CHAIN_ID, '2^63-37');

const SCOPE = /^eip155:((?:0|[1-9][0-9]{0,31})|0x[0-9a-fA-F]{1,32})$/u;

/**
 * The chain that a request's scope names (CAIP-2).
 *
 * @param scope - `eip155:<decimal>`; MetaMask also sends '' for no chain, and copies a typed message's
 * chain id as the dapp spelt it, so hex is read too. `eip155:0` stands for every EVM chain (CAIP-2 of EOAs).
 * @returns The chain id, or undefined where the scope names none.
 * @throws {InvalidParamsError} On any other text.
 */
export function chainOfScope(scope: string): bigint | undefined {
  if (scope === '') return undefined;
  const reference = SCOPE.exec(scope)?.[1];
  if (reference === undefined)
    throw new InvalidParamsError('scope', 'must be an EVM chain, "eip155:<chain id>", or empty');
  const chainId = BigInt(reference);
  return chainId === 0n ? undefined : chainId;
}
