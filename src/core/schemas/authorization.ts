import { authorityOf, type SignedAuthorization } from '../eth/authorization';
import { AddressStruct } from './address';
import { HexNumberStruct, quantityStruct, Uint256Struct } from './hex';
import { array, type Fault, type Infer, object, refine, rule, wrong } from './struct';
import { type Hex } from '../eth/bytes';

/** Each one is shown, and recovering the account of each takes time. */
const MAX_AUTHORIZATIONS = 10;

/**
 * A signed authorization as libraries send it (EIP-7702). Some pad `yParity`, `r` and `s` with zeros.
 *
 * @example
 * ```ts
 * const address = '0xe6Cae83BdE06E4c305530e199D7217f42808555B';
 * const signature = { yParity: '0x0', r: '0x1', s: '0x01' };
 * SignedAuthorizationStruct.is({ chainId: '0x1', address, nonce: '0x0', ...signature }); // => true
 * SignedAuthorizationStruct.is({ chainId: '0x1', address, nonce: '0x0' }); // => false
 * ```
 */
export const SignedAuthorizationStruct = object({
  chainId: Uint256Struct,
  address: AddressStruct,
  /** Applying it adds one to the account's nonce, which cannot pass 2^64-1. */
  nonce: quantityStruct((1n << 64n) - 2n, '2^64-2'),
  yParity: rule<Hex>('must be 0x0 or 0x1', (value) => HexNumberStruct.is(value) && BigInt(value) <= 1n),
  r: HexNumberStruct,
  s: HexNumberStruct,
});

/**
 * The authorization list of a transaction (EIP-7702).
 *
 * @example
 * ```ts
 * const address = '0xe6Cae83BdE06E4c305530e199D7217f42808555B';
 * const authorization = { chainId: '0x1', address, nonce: '0x0', yParity: '0x0', r: '0x1', s: '0x1' };
 * AuthorizationListStruct.is([authorization]); // => true
 * AuthorizationListStruct.is([]); // => false
 * ```
 */
export const AuthorizationListStruct = refine(array(SignedAuthorizationStruct), ({ length }) =>
  length === 0 || length > MAX_AUTHORIZATIONS
    ? wrong(`must contain 1 to ${MAX_AUTHORIZATIONS} authorizations`)
    : undefined,
);

/**
 * @returns The authorizations with bigint quantities.
 *
 * @example
 * ```ts
 * const address = '0xe6Cae83BdE06E4c305530e199D7217f42808555B';
 * const json = { chainId: '0x1', address, nonce: '0x7', yParity: '0x1', r: '0x1', s: '0x1' } as const;
 * toAuthorizations([json])[0]?.nonce; // => 7n
 * ```
 */
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
 *
 * @example
 * ```ts
 * const address = '0xe6Cae83BdE06E4c305530e199D7217f42808555B';
 * const authorization = { chainId: 1n, address, nonce: 0n, yParity: 0, r: 1n, s: 1n } as const;
 * faultInAuthorizations([authorization], 1n); // => undefined
 * faultInAuthorizations([{ ...authorization, chainId: 0n }], 1n)?.path; // => [0, 'chainId']
 * faultInAuthorizations([{ ...authorization, s: 0n }], 1n)?.path; // => [0, 's']
 * ```
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
