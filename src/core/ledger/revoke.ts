import { encodeFunctionData } from 'viem/utils';

import { type Call } from '../erc4337/user-operation';
import { type Hex } from '../eth/bytes';
import { PERMIT2 } from '../simulation/asset-logs';
import { DEBT_ABI, ERC20_ABI, ERC6909_ABI, ERC777_ABI, NFT_ABI, PERMIT2_ABI } from './abi';
import { type Candidate } from './candidates';

/** What is needed of a permission to take it back. */
export type Revocable = Pick<Candidate, 'kind' | 'token' | 'spender' | 'id'> & {
  /** What may be taken, in the token's smallest unit. */
  readonly amount?: bigint;
  /** The token refuses to set an allowance to 0. */
  readonly refusesZero?: true;
  /** Of Permit2. */
  readonly nonce?: bigint;
};

const call = (to: Hex, data: Hex): Call => ({ to, value: 0n, data });

/** The call that takes back a permission which the token itself keeps. */
export function revokeCall({ kind, token, spender, id = 0n, amount = 0n, refusesZero }: Revocable): Call {
  if (kind === 'nft')
    return call(
      token,
      encodeFunctionData({
        abi: NFT_ABI,
        functionName: 'approve',
        args: ['0x0000000000000000000000000000000000000000', id],
      }),
    );
  if (kind === 'collection')
    return call(token, encodeFunctionData({ abi: NFT_ABI, functionName: 'setApprovalForAll', args: [spender, false] }));
  if (kind === 'item')
    return call(token, encodeFunctionData({ abi: ERC6909_ABI, functionName: 'approve', args: [spender, id, 0n] }));
  if (kind === 'items')
    return call(token, encodeFunctionData({ abi: ERC6909_ABI, functionName: 'setOperator', args: [spender, false] }));
  if (kind === 'operator')
    return call(token, encodeFunctionData({ abi: ERC777_ABI, functionName: 'revokeOperator', args: [spender] }));
  if (kind === 'credit')
    return call(token, encodeFunctionData({ abi: DEBT_ABI, functionName: 'approveDelegation', args: [spender, 0n] }));
  return call(
    token,
    refusesZero === true
      ? encodeFunctionData({ abi: ERC20_ABI, functionName: 'decreaseAllowance', args: [spender, amount] })
      : encodeFunctionData({ abi: ERC20_ABI, functionName: 'approve', args: [spender, 0n] }),
  );
}

/**
 * The calls with which an account takes permissions back. In Permit2 they also use up the nonce of each pair: otherwise
 * a permit that was signed and not used yet would give the permission again.
 */
export function revokeCalls(permissions: readonly Revocable[]): Call[] {
  const inPermit2 = permissions.filter(({ kind }) => kind === 'permit2');
  const others = permissions.filter(({ kind }) => kind !== 'permit2');
  const pairs = inPermit2.map(({ token, spender }) => ({ token, spender }));
  return [
    ...others.map(revokeCall),
    ...(pairs.length === 0
      ? []
      : [call(PERMIT2, encodeFunctionData({ abi: PERMIT2_ABI, functionName: 'lockdown', args: [pairs] }))]),
    ...inPermit2.map(({ token, spender, nonce = 0n }) =>
      call(
        PERMIT2,
        encodeFunctionData({
          abi: PERMIT2_ABI,
          functionName: 'invalidateNonces',
          args: [token, spender, Number(nonce + 1n)],
        }),
      ),
    ),
  ];
}
