import { decodeErrorResult } from 'viem/utils';

import { type Hex } from '../eth/bytes';

const BYTES = /^0x(?:[0-9a-fA-F]{2})+$/u;

/** Of what an account or a paymaster said, so much is looked at: it could hold the like of itself, over and over. */
const MAX_INNER = 1024;

/** Solidity's own errors, and those of the entry points. */
const ERRORS = [
  { type: 'error', name: 'Error', inputs: [{ type: 'string' }] },
  { type: 'error', name: 'Panic', inputs: [{ type: 'uint256' }] },
  { type: 'error', name: 'FailedOp', inputs: [{ type: 'uint256' }, { type: 'string' }] },
  { type: 'error', name: 'FailedOpWithRevert', inputs: [{ type: 'uint256' }, { type: 'string' }, { type: 'bytes' }] },
] as const;

/** Undefined for any other error, and for data that do not hold what their selector promises. */
function decoded(data: Hex) {
  try {
    return decodeErrorResult({ abi: ERRORS, data });
  } catch {
    return undefined;
  }
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

/** Bundlers put the revert data into `data` itself, or into a member of it. */
const bytesIn = (data: unknown): Hex | undefined =>
  [data, member(data, 'data'), member(data, 'revertData'), member(member(data, 'originalError'), 'data')].find(
    (value): value is Hex => typeof value === 'string' && BYTES.test(value),
  );

/**
 * @param data - The `data` of a JSON-RPC error: anything.
 * @returns What the contract said when it reverted, or undefined if that cannot be told.
 */
export function decodeRevert(data: unknown): string | undefined {
  const found = bytesIn(data)?.toLowerCase() as Hex | undefined;
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
      const said = decodeRevert(inner.slice(0, 2 + 2 * MAX_INNER));
      return said === undefined ? reason : `${reason}: ${said}`;
    }
    default:
      return undefined;
  }
}
