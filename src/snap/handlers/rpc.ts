import { type Json } from '@metamask/snaps-sdk';

import { InternalError, StateError } from '../../core/errors';
import { isSiteMethod, SITE_METHODS, type SiteMethodName } from '../../core/methods/sites';
import { siteOf } from '../sites/site';
import { type OpenMethod, type SiteMethod } from '../sites/methods/method';
import { RPC_METHODS, type RpcDeps } from './site-methods';
import { isSiteRead, readFromNode } from '../send/node-reads';
import { locked, type WalletLock } from './middleware';

/**
 * Runs a method as the table says: for any page, or for a connected site. Requests of one site that may ask the user
 * run one at a time, until the user has approved them. The connection is read again when the request's turn comes,
 * because earlier requests may have changed it.
 */
async function run(name: SiteMethodName, params: unknown, origin: string, deps: RpcDeps): Promise<unknown> {
  const { asks, isOpen } = SITE_METHODS[name];
  if (isOpen) return (RPC_METHODS[name] as OpenMethod<unknown, RpcDeps>)(params, origin, deps);
  const answer = RPC_METHODS[name] as SiteMethod<unknown, RpcDeps>;
  const site = await siteOf(origin, deps);
  if (!asks) return answer(params, site, deps);
  return deps.requests.run(origin, async (onApproved) =>
    answer(params, await siteOf(origin, deps), { ...deps, onApproved }),
  );
}

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
  const isOwn = isSiteMethod(method);
  if (!isOwn && !isSiteRead(method))
    throw new InternalError('The method passed the permission check but has no handler.');
  const whileLocked = isOwn ? SITE_METHODS[method].locked : undefined;
  const isLocked = await deps.isLocked();
  // A page must not be able to trigger the password prompt just by sending a request.
  if (isLocked && whileLocked !== 'unlock') {
    if (whileLocked === 'empty') return [];
    throw locked();
  }
  try {
    if (isLocked) await deps.unlock();
    const answer = isOwn
      ? await run(method, params, origin, deps)
      : await readFromNode(method, params, await siteOf(origin, deps), deps);
    return (answer ?? null) as Json;
  } catch (error) {
    if (error instanceof StateError && (await deps.isLocked())) throw locked();
    throw error;
  }
}
