import { type Json } from '@metamask/snaps-sdk';

/** An error with a code of JSON-RPC, EIP-1193 or EIP-1474. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: Json,
  ) {
    super(message);
  }
}

export const invalidParams = (message: string): RpcError => new RpcError(-32602, message);
export const unauthorized = (message: string): RpcError => new RpcError(4100, message);
export const userRejected = (message = 'User rejected the request.'): RpcError => new RpcError(4001, message);
/** MetaMask's refusal of a second approval of a type for one origin. */
export const alreadyPending = (type: string, origin: string): RpcError =>
  new RpcError(-32002, `Request of type '${type}' already pending for origin ${origin}. Please wait.`);
export const methodNotFound = (method: string): RpcError =>
  new RpcError(-32601, `The simulated wallet does not have the method "${method}".`);

export type SerializedError = { readonly code: number; readonly message: string; readonly data?: Json };

/** @returns The JSON form of an error. One that is not an {@link RpcError} becomes an internal error (-32603). */
export function serializeError(error: unknown): SerializedError {
  if (error instanceof RpcError)
    return { code: error.code, message: error.message, ...(error.data !== undefined && { data: error.data }) };
  return { code: -32603, message: error instanceof Error ? error.message : 'Internal error' };
}
