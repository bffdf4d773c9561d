import { encodeAbiParameters } from 'viem/utils';

import { ServiceFailedError } from '../core/errors';
import { array, bool, bytes, decode, tuple } from '../core/eth/abi';
import { type Hex, lowerCase } from '../core/eth/bytes';

/** Multicall3, at the same address on nearly all networks. */
export const MULTICALL3: Hex = '0xca11bde05977b3631167028862be2a173976ca11';

/** `aggregate3((address,bool,bytes)[])` → (success, returned)[]. */
const AGGREGATE = '0x82ad56cb';
const CALLS = [{ type: 'tuple[]', components: [{ type: 'address' }, { type: 'bool' }, { type: 'bytes' }] }] as const;
/** More than any batch of ours is answered with. */
const MAX_WORDS = 100_000;
const RESULTS = [array(tuple(bool, bytes))] as const;

/** A call without value that changes nothing. */
export type View = { readonly to: Hex; readonly data: Hex };

/** @returns The call of Multicall3 that makes these calls, of which each may fail. */
export const callTogether = (views: readonly View[]): View => {
  const calls = views.map(({ to, data }) => [lowerCase(to), true, data] as const);
  return { to: MULTICALL3, data: `${AGGREGATE}${encodeAbiParameters(CALLS, [calls]).slice(2)}` };
};

/**
 * @param answer - What Multicall3 returned.
 * @returns The results in the order of the calls; undefined for each that fails.
 * @throws {ServiceFailedError} If it is not an answer to so many calls.
 */
export function answersTogether(answer: Hex, count: number): readonly (Hex | undefined)[] {
  const decoded = decode(RESULTS, lowerCase(answer).slice(2), { words: MAX_WORDS });
  if ('misfit' in decoded || decoded.values[0].length !== count)
    throw new ServiceFailedError('answer: must be one result for each call. The node answered something else.');
  return decoded.values[0].map(([success, returned]) => (success ? (`0x${returned}` as const) : undefined));
}
