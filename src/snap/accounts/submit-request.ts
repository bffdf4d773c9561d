import type { KeyringRequest, KeyringResponse } from '@metamask/keyring-api';
import { type OriginMetadata } from '@metamask/snaps-sdk';

import { chainOfScope, typedDataScope } from '../../core/schemas/chain';
import { decodeAccountRequest } from '../methods';
import { type AccountDeps } from './deps';
import { assertOffers, runAccountRequest, type SigningDeps } from './sign-request';

/** A request as wallets of platform version 12 send it. */
export type SubmittedRequest = KeyringRequest & { readonly originMetadata?: OriginMetadata | null | undefined };

/**
 * `keyring_submitRequest`: runs an account method, at once.
 *
 * @throws {NotFoundError} If there is no such account.
 * @throws {MethodNotSupportedError} If the account does not have the method.
 * @throws {InvalidParamsError} Naming the field and the rule; nothing is signed.
 * @throws {UserRejectedError} If the person refuses in our dialog.
 */
export async function submitRequest(
  { account: id, scope, origin, originMetadata, request: { method, params } }: SubmittedRequest,
  deps: SigningDeps & Pick<AccountDeps, 'origin'>,
): Promise<KeyringResponse> {
  const account = await deps.accounts.use(id);
  const chainId = chainOfScope(method === 'eth_signTypedData_v4' ? typedDataScope(scope) : scope);
  assertOffers(account.entry, method);
  const requester = { origin, originMetadata, chainId, caller: deps.origin, walletHasAsked: true } as const;
  return {
    pending: false,
    result: await runAccountRequest(decodeAccountRequest(method, params), account, requester, deps),
  };
}
