import { type Json } from '@metamask/snaps-sdk';

import { InternalError, StateError } from '../../core/errors';
import { RPC_METHODS, WHILE_LOCKED } from '../rpc';
import { type RpcDeps } from '../rpc/method';
import { locked, type WalletLock } from './middleware/unlocked';

/**
 * Handles a request of a site (`wallet_invokeSnap`) that is allowed to call the method.
 *
 * @throws {KeysteadError} If the request fails.
 */
export async function answerRpcRequest(
  origin: string,
  { method, params }: { readonly method: string; readonly params?: unknown },
  deps: RpcDeps & WalletLock,
): Promise<Json> {
  const answer = Object.hasOwn(RPC_METHODS, method) ? RPC_METHODS[method] : undefined;
  if (answer === undefined) throw new InternalError('The method passed the permission check but has no handler.');
  const isLocked = await deps.isLocked();
  // A page must not be able to trigger the password prompt just by sending a request.
  if (isLocked && WHILE_LOCKED[method] !== 'unlock') {
    if (WHILE_LOCKED[method] === 'empty') return [];
    throw locked();
  }
  try {
    if (isLocked) await deps.unlock();
    return ((await answer(params, origin, deps)) ?? null) as Json;
  } catch (error) {
    if (error instanceof StateError && (await deps.isLocked())) throw locked();
    throw error;
  }
}
