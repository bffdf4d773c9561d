import type { KeyringRequest, KeyringResponse } from '@metamask/keyring-api';
import { type OriginMetadata } from '@metamask/snaps-sdk';

import { chainOfScope, typedDataScope } from '../../core/schemas/chain';
import { decodeAccountRequest } from '../methods';
import { type AccountDeps } from './deps';
import { assertOffers, runAccountRequest, type SigningDeps } from './sign-request';

/** A request in the format of platform version 12. */
export type SubmittedRequest = KeyringRequest & { readonly originMetadata?: OriginMetadata | null | undefined };

/**
 * `keyring_submitRequest`: runs an account method synchronously.
 *
 * @throws {NotFoundError} If the account does not exist.
 * @throws {MethodNotSupportedError} If the account does not support the method.
 * @throws {InvalidParamsError} If the request is invalid; names the field and the rule. Nothing is signed.
 * @throws {UserRejectedError} If the user rejects the request in our dialog.
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
