import type { KeyringRequest, KeyringResponse } from '@metamask/keyring-api';

import { chainOfScope, typedDataScope } from '../../core/schemas/chain';
import { type OriginMetadata } from '../../core/schemas/origin-metadata';
import { ACCOUNT_METHODS } from './methods';
import { type AccountDeps, type SigningDeps } from './deps';
import { signRequest } from './sign-request';
import { assertOffers } from './account';
import { runUnsignedRequest } from './operation-request';

/** A request in the format of platform version 12, or of an old one without an origin. */
export type SubmittedRequest = Omit<KeyringRequest, 'origin'> & {
  readonly origin?: string | undefined;
  readonly originMetadata?: OriginMetadata | null | undefined;
};

/** Shown and stored in place of an origin that the wallet does not name. */
const UNKNOWN_ORIGIN = 'Unknown';

/**
 * `keyring_submitRequest`: runs an account method synchronously.
 *
 * @param caller - The origin that called the snap.
 * @throws {NotFoundError} If the account does not exist.
 * @throws {MethodNotSupportedError} If the account does not support the method.
 * @throws {InvalidParamsError} If the request is invalid; names the field and the rule. Nothing is signed.
 * @throws {UserRejectedError} If the user rejects the request in our dialog.
 */
export async function submitRequest(
  { account: id, scope, origin, originMetadata, request: { method, params } }: SubmittedRequest,
  deps: SigningDeps & Pick<AccountDeps, 'consent'>,
  caller: string,
): Promise<KeyringResponse> {
  const account = await deps.accounts.use(id);
  const chainId = chainOfScope(method === 'eth_signTypedData_v4' ? typedDataScope(scope) : scope);
  assertOffers(account.entry, method);
  const requester = {
    origin: origin || UNKNOWN_ORIGIN,
    originMetadata,
    chainId,
    caller,
    walletHasAsked: true,
    consent: deps.consent,
  } as const;
  const decoded = ACCOUNT_METHODS[method].decode(params);
  const result =
    'run' in decoded
      ? await runUnsignedRequest(decoded, account.entry, requester, deps)
      : await signRequest(method, decoded, account, requester, deps);
  return { pending: false, result };
}
