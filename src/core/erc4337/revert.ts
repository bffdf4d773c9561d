import { decodeErrorResult } from 'viem/utils';

import { type Hex, lowerCase } from '../eth/bytes';

const BYTES = /^0x(?:[0-9a-fA-F]{2})+$/u;

/** The maximum number of bytes of a nested revert that are decoded, since reverts can nest without end. */
const MAX_INNER = 1024;

/** Solidity's built-in errors and the entry point's errors. */
const ERRORS = [
  { type: 'error', name: 'Error', inputs: [{ type: 'string' }] },
  { type: 'error', name: 'Panic', inputs: [{ type: 'uint256' }] },
  { type: 'error', name: 'FailedOp', inputs: [{ type: 'uint256' }, { type: 'string' }] },
  { type: 'error', name: 'FailedOpWithRevert', inputs: [{ type: 'uint256' }, { type: 'string' }, { type: 'bytes' }] },
] as const;

/** Undefined for any other error, and for data that does not match its selector. */
function decoded(data: Hex) {
  try {
    return decodeErrorResult({ abi: ERRORS, data });
  } catch {
    return undefined;
  }
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

/**
 * Finds the revert data. Nodes and bundlers put it in `data` itself or in one of its members.
 *
 * @param data - The `data` of a JSON-RPC error, not validated.
 * @returns The bytes in lower case, or undefined if there are none.
 */
export function revertData(data: unknown): Hex | undefined {
  const found = [
    data,
    member(data, 'data'),
    member(data, 'revertData'),
    member(member(data, 'originalError'), 'data'),
  ].find((value): value is Hex => typeof value === 'string' && BYTES.test(value));
  return found && lowerCase(found);
}

/**
 * @param data - The `data` of a JSON-RPC error, not validated.
 * @returns The contract's revert reason, or undefined if it cannot be decoded.
 */
export function decodeRevert(data: unknown): string | undefined {
  const found = revertData(data);
  const error = found && decoded(found);
  switch (error?.errorName) {
    case 'Error':
      return error.args[0];
    case 'Panic':
      return `Panic 0x${error.args[0].toString(16)}`;
    case 'FailedOp':
      return error.args[1];
    case 'FailedOpWithRevert': {
      const [, reason, inner] = error.args;
      const innerReason = decodeRevert(inner.slice(0, 2 + 2 * MAX_INNER));
      return innerReason === undefined ? reason : `${reason}: ${innerReason}`;
    }
    default:
      return undefined;
  }
}
