import { authorityOf, type SignedAuthorization } from '../eth/authorization';
import { AddressStruct } from './address';
import { HexNumberStruct, quantityStruct, Uint256Struct } from '../structs/hex';
import { array, type Fault, type Infer, object, refine, rule, wrong } from '../structs/struct';
import { type Hex } from '../eth/bytes';

/** Each one is shown, and recovering the account of each takes time. */
const MAX_AUTHORIZATIONS = 10;

/** A signed authorization as libraries send it (EIP-7702). Some pad `yParity`, `r` and `s` with zeros. */
export const SignedAuthorizationStruct = object({
  chainId: Uint256Struct,
  address: AddressStruct,
  /** Applying it adds one to the account's nonce, which cannot pass 2^64-1. */
  nonce: quantityStruct((1n << 64n) - 2n, '2^64-2'),
  yParity: rule<Hex>('must be 0x0 or 0x1', (value) => HexNumberStruct.is(value) && BigInt(value) <= 1n),
  r: HexNumberStruct,
  s: HexNumberStruct,
});

/** The authorization list of a transaction (EIP-7702). */
export const AuthorizationListStruct = refine(array(SignedAuthorizationStruct), ({ length }) =>
  length === 0 || length > MAX_AUTHORIZATIONS
    ? wrong(`must contain 1 to ${MAX_AUTHORIZATIONS} authorizations`)
    : undefined,
);

/** @returns The authorizations with bigint quantities. */
export const toAuthorizations = (list: Infer<typeof AuthorizationListStruct>): SignedAuthorization[] =>
  list.map(({ chainId, address, nonce, yParity, r, s }) => ({
    chainId: BigInt(chainId),
    address,
    nonce: BigInt(nonce),
    yParity: BigInt(yParity) === 0n ? 0 : 1,
    r: BigInt(r),
    s: BigInt(s),
  }));

/**
 * Finds authorizations that could have an effect elsewhere, or have none.
 *
 * @param chainId - The transaction's.
 * @returns The first rule that one breaks, with its position.
 */
export function faultInAuthorizations(list: readonly SignedAuthorization[], chainId: bigint): Fault | undefined {
  for (const [index, authorization] of list.entries()) {
    if (authorization.chainId !== chainId)
      return wrong("must be the transaction's chain id; 0 would be valid on every chain", index, 'chainId');
    if (authorityOf(authorization) === undefined)
      return wrong('must complete a valid signature with r and yParity, and be low (EIP-2)', index, 's');
  }
  return undefined;
}
