import { type Json } from '@metamask/snaps-sdk';

import { InternalError, StateError } from '../../core/errors';
import { RPC_METHODS } from '../rpc';
import { type RpcDeps } from '../rpc/deps';
import { locked, type WalletLock } from './middleware/unlocked';

/** While the wallet is locked, these answer as if the site were not connected. */
const EMPTY_WHILE_LOCKED: readonly string[] = ['eth_accounts', 'wallet_getPermissions'];
/** The person has just asked the site to connect, so these may have the wallet ask to be unlocked. */
const MAY_UNLOCK: readonly string[] = ['eth_requestAccounts', 'wallet_requestPermissions'];

/**
 * Answers a request of a site (`wallet_invokeSnap`) whose origin may call the method.
 *
 * @throws {KeysteadError} Of any kind.
 */
export async function answerRpcRequest(
  origin: string,
  { method, params }: { readonly method: string; readonly params?: unknown },
  deps: RpcDeps & WalletLock,
): Promise<Json> {
  const answer = Object.hasOwn(RPC_METHODS, method) ? RPC_METHODS[method] : undefined;
  if (answer === undefined) throw new InternalError('The method was let through, and is not there.');
  const isLocked = await deps.isLocked();
  // No page may make the wallet ask for its password just by sending a request.
  if (isLocked && !MAY_UNLOCK.includes(method)) {
    if (EMPTY_WHILE_LOCKED.includes(method)) return [];
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
