import { KINDS } from '../kinds';
import { type Call } from '../erc4337/user-operation';
import { address, array, bytes, decode, tuple, uint256 } from '../eth/abi';
import { isSameAddress } from '../eth/address';
import { type Hex, lowerCase } from '../eth/bytes';

/** `handleOps` of entry point 0.6, and of the later ones. */
const HANDLE_OPS = /^0x(?:1fad948c|765e827f)/u;
/** How an operation begins in each: its sender, nonce, `initCode` and call data. What follows is not read. */
const OPERATIONS = array(tuple(address, uint256, bytes, bytes));
const MAX_WORDS = 10_000;

/** @returns The calls that a smart account of a known kind makes for its call data. */
export function callsIn(callData: Hex): readonly Call[] {
  for (const { decodeCalls } of Object.values(KINDS)) {
    const calls = decodeCalls(callData);
    if (calls !== undefined) return calls;
  }
  return [];
}

/**
 * @param input - The data of a call of an entry point.
 * @param nonces - Of operations that succeeded.
 * @returns The calls that these operations of an account made, if its kind is known.
 */
export function operationCallsIn(input: Hex, account: Hex, nonces: readonly bigint[]): readonly Call[] {
  if (!HANDLE_OPS.test(input)) return [];
  const read = decode([OPERATIONS], lowerCase(input).slice(10), { words: MAX_WORDS });
  if ('misfit' in read) return [];
  return read.values[0]
    .filter(([sender, nonce]) => isSameAddress(sender, account) && nonces.includes(nonce))
    .flatMap(([, , , callData]) => callsIn(`0x${callData}`));
}
