import { KeyringRpcMethod } from '@metamask/keyring-api';

import { CHAIN_METHODS } from './chains/methods';
import { UnauthorizedError } from './errors';

/** The keyring API v1. */
const KEYRING_METHODS: ReadonlySet<string> = new Set([
  KeyringRpcMethod.ListAccounts,
  KeyringRpcMethod.GetAccount,
  KeyringRpcMethod.CreateAccount,
  KeyringRpcMethod.FilterAccountChains,
  KeyringRpcMethod.UpdateAccount,
  KeyringRpcMethod.DeleteAccount,
  KeyringRpcMethod.ExportAccount,
  KeyringRpcMethod.DiscoverAccounts,
  KeyringRpcMethod.ListRequests,
  KeyringRpcMethod.GetRequest,
  KeyringRpcMethod.ApproveRequest,
  KeyringRpcMethod.RejectRequest,
  KeyringRpcMethod.SubmitRequest,
]);

/** A page manages accounts and chains; what an account signs comes through the wallet only. */
const COMPANION_METHODS: ReadonlySet<string> = new Set(
  [...KEYRING_METHODS, ...Object.keys(CHAIN_METHODS)].filter((method) => method !== KeyringRpcMethod.SubmitRequest),
);

/**
 * Whether an origin may call a method of the keyring door. The wallet checks too; we do not rely on it.
 *
 * @param companions - The origins of companion pages; none in a production build.
 * @throws {UnauthorizedError} If it may not.
 */
export function assertMayCall(origin: string, method: string, companions: readonly string[]): void {
  if (origin === 'metamask') return;
  if (!companions.includes(origin))
    throw new UnauthorizedError('origin: this origin may not use the keyring of Keystead');
  if (!COMPANION_METHODS.has(method))
    throw new UnauthorizedError(`method: a page may not call "${method.slice(0, 64)}"`);
}
