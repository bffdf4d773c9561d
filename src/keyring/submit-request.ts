import { type KeyringRequest, type KeyringResponse } from '@metamask/keyring-api';

import { InvalidParamsError, MethodNotSupportedError, quoted } from '../errors';
import { isSameAddress } from '../eth/address';
import { isEoaMethod, isUserOperationMethod, METHODS, USER_OPERATION_METHODS } from '../methods';
import { type Subject } from '../methods/define-method';
import { ConfirmSignatureScreen } from '../ui/confirm-signature';
import { chainOfScope } from '../wire/chain';
import { isSmart, type StoredAccount, type StoredEoa, type StoredSmartAccount } from './account';
import { chainOfRequest } from './chain-of-request';
import { type CallerDeps } from './deps';
import { signFor } from './keys';
import { smartAccountOf } from './smart-account';

/** The account's id is the truth: whatever else names an account must agree with it. */
function assertAddresses(addresses: Subject['addresses'], { account }: StoredAccount): void {
  for (const { field, address } of addresses) {
    if (!isSameAddress(address, account.address)) {
      throw new InvalidParamsError(field, 'must be the address of the account the request is for');
    }
  }
}

/** So must whatever names a chain with the scope. */
function assertChain(chain: Subject['chain'], scope: string): void {
  const scopeChain = chainOfScope(scope);
  if (scopeChain !== undefined && chain !== undefined && chain.chainId !== scopeChain) {
    throw new InvalidParamsError(chain.field, 'must be the chain of the scope');
  }
}

const notOffered = (name: string): never => {
  throw new MethodNotSupportedError(`request.method: the account does not have the method ${quoted(name)}`);
};

/** While a dialog was open the account may have been deleted. */
const assertStillThere = ({ account }: StoredAccount, { accounts }: CallerDeps): Promise<unknown> =>
  accounts.get(account.id);

/** MetaMask has asked the person already. We ask again where the settings say so. */
async function answerEoa(stored: StoredEoa, { origin, scope, request }: KeyringRequest, deps: CallerDeps) {
  const { accounts, consent, entropy } = deps;
  const { method: name, params } = request;
  if (!isEoaMethod(name)) return notOffered(name);
  const settings = await accounts.settings();
  const prepared = METHODS[name].prepare(params);
  assertAddresses(prepared.subject.addresses, stored);
  assertChain(prepared.subject.chain, scope);
  if (settings.confirmSignatures === 'always') {
    await consent(ConfirmSignatureScreen({ explanation: prepared.explain(), address: stored.account.address, origin }));
    await assertStillThere(stored, deps);
  }
  return prepared.run({ signDigest: (digest) => signFor(stored, entropy, digest) });
}

/** What a user operation does MetaMask cannot tell: before one is signed, we always ask. */
async function answerSmartAccount(
  stored: StoredSmartAccount,
  { origin, scope, request }: KeyringRequest,
  deps: CallerDeps,
) {
  const { consent, entropy } = deps;
  const { method: name, params } = request;
  if (!isUserOperationMethod(name)) return notOffered(name);
  const prepared = USER_OPERATION_METHODS[name].prepare(params);
  assertAddresses(prepared.addresses, stored);
  const account = smartAccountOf(stored);
  const { explanation, run } = await prepared.review({
    account,
    chain: () => chainOfRequest(stored, account, scope, deps),
    signDigest: (digest) => signFor(stored, entropy, digest),
  });
  if (explanation !== undefined) {
    await consent(ConfirmSignatureScreen({ explanation, address: account.address, origin }));
    await assertStillThere(stored, deps);
  }
  return run();
}

/**
 * `keyring_submitRequest`: runs an account method, at once.
 *
 * @throws {NotFoundError} If there is no such account.
 * @throws {MethodNotSupportedError} If the account does not have the method.
 * @throws {InvalidParamsError} Naming the field and the rule; nothing is signed.
 * @throws {UserRejectedError} If the signature is refused in our dialog.
 */
export async function submitRequest(request: KeyringRequest, deps: CallerDeps): Promise<KeyringResponse> {
  const stored = await deps.accounts.get(request.account);
  const result = isSmart(stored)
    ? await answerSmartAccount(stored, request, deps)
    : await answerEoa(stored, request, deps);
  return { pending: false, result };
}
