import { type Json, type JsonRpcRequest } from '@metamask/snaps-sdk';

import { InternalError, StateError } from '../../core/errors';
import { locked } from './middleware/unlocked';
import { type DoorDeps } from '../rpc/deps';
import { DOOR_METHODS } from '../rpc';

/** What these answer while the wallet is locked: as if the site were not connected. */
const EMPTY_WHILE_LOCKED: readonly string[] = ['eth_accounts', 'wallet_getPermissions'];
/** The person has just asked the site to connect: these may have the wallet ask to be unlocked. */
const MAY_UNLOCK: readonly string[] = ['eth_requestAccounts', 'wallet_requestPermissions'];

/**
 * Answers a request of a dapp (`wallet_invokeSnap`). That its origin may call the method is known.
 *
 * @throws {KeysteadError} Of any kind.
 */
export async function answerDapp(origin: string, { method, params }: JsonRpcRequest, deps: DoorDeps): Promise<Json> {
  const answer = Object.hasOwn(DOOR_METHODS, method) ? DOOR_METHODS[method] : undefined;
  if (answer === undefined) throw new InternalError('The method was let through, and is not there.');
  const isLocked = await deps.isLocked();
  // No page may make the wallet ask for its password only by asking something.
  if (isLocked && !MAY_UNLOCK.includes(method)) {
    if (EMPTY_WHILE_LOCKED.includes(method)) return [];
    throw locked();
  }
  try {
    if (isLocked) await deps.unlock();
    return ((await answer(params, { ...deps, origin })) ?? null) as Json;
  } catch (error) {
    if (error instanceof StateError && (await deps.isLocked())) throw locked();
    throw error;
  }
}
