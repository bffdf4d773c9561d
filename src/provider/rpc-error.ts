import { KeysteadError, ServiceRefusedError } from '../core/errors';

/** Error codes of EIP-1193 (4xxx) and JSON-RPC 2.0 (negative). */
export const CODES = {
  unauthorized: 4100,
  unsupportedMethod: 4200,
  disconnected: 4900,
  noAnswer: -32002,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const;

/**
 * The error that every rejected request carries (EIP-1193). Code, message and data come from the snap, the wallet or
 * the node that failed.
 *
 * Frequent codes: 4001, the person rejected the request; 4100, the site or account is not connected; 4200, unsupported
 * method; 4900, the wallet or the snap is not available; -32602, invalid parameters; -32603, an internal error. The
 * methods of EIP-5792 add 5700 to 5760.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193
 * @example
 * import { createKeysteadProvider, ProviderRpcError } from 'keystead/provider';
 *
 * const provider = createKeysteadProvider();
 * try {
 *   await provider.request({ method: 'eth_requestAccounts' });
 * } catch (error) {
 *   if (error instanceof ProviderRpcError && error.code === 4001) console.log('The request was rejected.');
 *   else throw error;
 * }
 */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError';
  /** The error code of EIP-1193, JSON-RPC 2.0 or EIP-5792. */
  readonly code: number;
  /** Details for programs, if there are any; the revert data of a failed `eth_call`, for example. */
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    if (data !== undefined) this.data = data;
  }
}

/**
 * @returns The error as a {@link ProviderRpcError}. Wallets may reject with plain objects, or with errors without a
 * code.
 */
export function toProviderRpcError(error: unknown): ProviderRpcError {
  if (error instanceof ProviderRpcError) return error;
  if (error instanceof ServiceRefusedError) return toProviderRpcError(error.error);
  if (error instanceof KeysteadError) return new ProviderRpcError(error.rpcCode, error.message, error.data);
  const { code, message, data } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  return new ProviderRpcError(
    Number.isInteger(code) ? (code as number) : CODES.internal,
    typeof message === 'string' && message !== '' ? message : 'The wallet failed and gave no reason.',
    // A snap's error can carry a node's data only in an object. Libraries expect it as nodes send it.
    (data as { readonly data?: unknown } | null | undefined)?.data ?? data,
  );
}
