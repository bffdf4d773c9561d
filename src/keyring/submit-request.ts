import { type KeyringRequest, type KeyringResponse } from '@metamask/keyring-api';

import { InvalidParamsError, MethodNotSupportedError } from '../errors';
import { isSameAddress } from '../eth/address';
import { isEoaMethod, METHODS } from '../methods';
import { type Subject } from '../methods/define-method';
import { ConfirmSignatureScreen } from '../ui/confirm-signature';
import { chainOfScope } from '../wire/chain';
import { type StoredAccount } from './account';
import { type CallerDeps } from './deps';
import { signFor } from './keys';

/** The account's id is the truth: whatever else names an account or a chain must agree with it and the scope. */
function assertAgreement({ addresses, chain }: Subject, { account }: StoredAccount, scope: string): void {
  for (const { field, address } of addresses) {
    if (!isSameAddress(address, account.address)) {
      throw new InvalidParamsError(field, 'must be the address of the account the request is for');
    }
  }
  const scopeChain = chainOfScope(scope);
  if (scopeChain !== undefined && chain !== undefined && chain.chainId !== scopeChain) {
    throw new InvalidParamsError(chain.field, 'must be the chain of the scope');
  }
}

/**
 * `keyring_submitRequest`: runs an account method, at once.
 *
 * MetaMask has asked the person already. We ask again where the settings say so.
 *
 * @throws {NotFoundError} If there is no such account.
 * @throws {MethodNotSupportedError} If the account does not have the method.
 * @throws {InvalidParamsError} Naming the field and the rule; nothing is signed.
 * @throws {UserRejectedError} If the signature is refused in our dialog.
 */
export async function submitRequest(
  { account: id, scope, request }: KeyringRequest,
  deps: CallerDeps,
): Promise<KeyringResponse> {
  const { accounts, consent, entropy, origin } = deps;
  const { method: name, params } = request;
  if (!isEoaMethod(name))
    throw new MethodNotSupportedError(`request.method: the account does not have the method "${name.slice(0, 64)}"`);
  const [stored, settings] = await Promise.all([accounts.get(id), accounts.settings()]);
  const prepared = METHODS[name].prepare(params);
  assertAgreement(prepared.subject, stored, scope);
  if (settings.confirmSignatures === 'always') {
    await consent(ConfirmSignatureScreen({ explanation: prepared.explain(), address: stored.account.address, origin }));
  }
  const result = await prepared.run({ signDigest: (digest) => signFor(stored, entropy, digest) });
  return { pending: false, result };
}
