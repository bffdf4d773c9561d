import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils';

import { ServiceFailedError } from '../core/errors';
import { type Hex } from '../core/eth/bytes';

/** Multicall3, at the same address on nearly all networks. */
export const MULTICALL3: Hex = '0xca11bde05977b3631167028862be2a173976ca11';

const ABI = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes returnData)[])',
]);

/** A call without value that changes nothing. */
export type View = { readonly to: Hex; readonly data: Hex };

/** @returns The call of Multicall3 that makes these calls, of which each may fail. */
export const callTogether = (views: readonly View[]): View => ({
  to: MULTICALL3,
  data: encodeFunctionData({
    abi: ABI,
    args: [views.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))],
  }),
});

/**
 * @param answer - What Multicall3 returned.
 * @returns The results in the order of the calls; undefined for each that fails.
 * @throws {ServiceFailedError} If it is not an answer to so many calls.
 */
export function answersTogether(answer: Hex, count: number): readonly (Hex | undefined)[] {
  const failed = new ServiceFailedError('answer: must be one result for each call. The node answered something else.');
  try {
    const results = decodeFunctionResult({ abi: ABI, data: answer });
    if (results.length === count) return results.map(({ success, returnData }) => (success ? returnData : undefined));
  } catch {
    throw failed;
  }
  throw failed;
}
