import { type AbiParameter, parseAbiParameters } from 'viem';

import { LruCache } from '../../lru-cache';

/** Real signatures are shorter. */
const MAX_LENGTH = 2_000;
const parsed = new LruCache<string, readonly AbiParameter[] | null>(200);

function parse(signature: string): readonly AbiParameter[] | null {
  const types = /^\w*\((.*)\)$/u.exec(signature)?.[1];
  if (types === undefined || signature.length > MAX_LENGTH) return null;
  try {
    return types === '' ? [] : parseAbiParameters(types);
  } catch {
    return null;
  }
}

/**
 * The parameters of a function signature in the form of the Solidity ABI: `swap(address,(uint256,bytes)[])`.
 *
 * @returns Undefined if it is malformed.
 */
export function parametersOf(signature: string): readonly AbiParameter[] | undefined {
  const before = parsed.get(signature);
  if (before !== undefined) return before ?? undefined;
  const parameters = parse(signature);
  parsed.set(signature, parameters);
  return parameters ?? undefined;
}
