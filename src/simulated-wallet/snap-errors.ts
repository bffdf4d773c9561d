import { type Json } from '@metamask/snaps-sdk';

import { RpcError } from './rpc-error';

const WRAPPER = -31001;
const SNAP_ERROR = -31002;

type Wire = {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: { readonly cause?: unknown } & Record<string, unknown>;
};

const asWire = (value: unknown): Wire => (typeof value === 'object' && value !== null ? value : {});

const toRpcError = ({ code, message, data }: Wire): RpcError =>
  new RpcError(
    typeof code === 'number' ? code : -32603,
    typeof message === 'string' ? message : 'The snap failed.',
    data as Json | undefined,
  );

/**
 * Takes an error of the execution environment apart, as MetaMask does (`unwrapError` of `@metamask/snaps-utils`).
 *
 * @returns The error for the caller, and whether the snap threw it on purpose, as a `SnapError`: after any other
 * one MetaMask stops the snap.
 */
export function unwrapSnapError(error: unknown): { readonly error: RpcError; readonly isHandled: boolean } {
  if (!(error instanceof RpcError)) return { error: new RpcError(-32603, 'The snap failed.'), isHandled: false };
  if (error.code !== WRAPPER) return { error, isHandled: false };
  const cause = asWire(asWire(error).data?.cause);
  if (cause.code === SNAP_ERROR) return { error: toRpcError(asWire(cause.data?.cause)), isHandled: true };
  return { error: toRpcError(cause), isHandled: false };
}
