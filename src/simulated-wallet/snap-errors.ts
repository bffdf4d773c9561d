import { type Json } from '@metamask/snaps-sdk';

import { RpcError } from './rpc-error';

/** The codes of the execution environment: any error that leaves the snap is wrapped; a `SnapError` is its cause. */
const WRAPPER = -31001;
const SNAP_ERROR = -31002;

type SerializedFailure = {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: { readonly cause?: unknown } & Record<string, unknown>;
};

const asFailure = (value: unknown): SerializedFailure => (typeof value === 'object' && value !== null ? value : {});

const toRpcError = ({ code, message, data }: SerializedFailure): RpcError =>
  new RpcError(
    typeof code === 'number' ? code : -32603,
    typeof message === 'string' ? message : 'The snap failed.',
    data as Json | undefined,
  );

/**
 * Unwraps an error of the execution environment, as MetaMask does (`unwrapError` of `@metamask/snaps-utils`).
 *
 * @returns The error for the caller, and whether the snap threw it on purpose as a `SnapError`. MetaMask stops the snap
 * after any other error.
 */
export function unwrapSnapError(error: unknown): { readonly error: RpcError; readonly isHandled: boolean } {
  if (!(error instanceof RpcError)) return { error: new RpcError(-32603, 'The snap failed.'), isHandled: false };
  if (error.code !== WRAPPER) return { error, isHandled: false };
  const cause = asFailure(asFailure(error).data?.cause);
  if (cause.code === SNAP_ERROR) return { error: toRpcError(asFailure(cause.data?.cause)), isHandled: true };
  return { error: toRpcError(cause), isHandled: false };
}
