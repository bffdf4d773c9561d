import { KeysteadError, ServiceRefusedError } from '../core/errors';

/** What went wrong, as numbers: EIP-1193 (4xxx), and JSON-RPC 2.0 for the rest. */
export const CODES = {
  unauthorized: 4100,
  unsupportedMethod: 4200,
  disconnected: 4900,
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
} as const;

/** An error as EIP-1193 wants it. Code, message and data are those of the snap, the wallet or the node that refused. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError';
  readonly code: number;
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    if (data !== undefined) this.data = data;
  }
}

/** @returns The same error in the form of EIP-1193; wallets reject with plain objects, and with errors without a code. */
export function toProviderRpcError(error: unknown): ProviderRpcError {
  if (error instanceof ProviderRpcError) return error;
  if (error instanceof ServiceRefusedError) return toProviderRpcError(error.error);
  if (error instanceof KeysteadError) return new ProviderRpcError(error.rpcCode, error.message, error.data);
  const { code, message, data } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  return new ProviderRpcError(
    typeof code === 'number' && Number.isInteger(code) ? code : CODES.internal,
    typeof message === 'string' && message !== '' ? message : 'The wallet failed without saying why.',
    data,
  );
}
