import type { KeyringRequest, KeyringResponse } from '@metamask/keyring-api';
import { type Json, type OriginMetadata } from '@metamask/snaps-sdk';

import { withDeployment } from '../../core/erc4337/erc6492';
import { InvalidParamsError, MethodNotSupportedError, quoted } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import {
  isEoaMethod,
  isMessageMethod,
  isUserOperationMethod,
  type MESSAGE_METHODS,
  METHODS,
  USER_OPERATION_METHODS,
} from '../methods';
import { type PreparedMethod, type Subject } from '../methods/define-method';
import { ConfirmSignatureScreen } from '../ui/confirm-signature';
import { chainNameOf, chainOfScope, typedDataScope } from '../../core/schemas/chain';
import { type AccountEntry, type EoaEntry, isSmart, type SmartAccountEntry } from './account';
import { chainOfRequest } from './chain-of-request';
import { type CallerDeps } from './deps';
import { signFor } from './keys';
import { type AccountInUse } from './repository';
import { smartAccountOf } from './smart-account';

/** A request as wallets of platform version 12 send it. */
export type SubmittedRequest = KeyringRequest & { readonly originMetadata?: OriginMetadata | null | undefined };

/** The account's id is the truth: whatever else names an account must agree with it. */
function assertAddresses(addresses: Subject['addresses'], { account }: AccountEntry): void {
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
const assertStillThere = ({ account }: AccountEntry, { accounts }: CallerDeps): Promise<unknown> =>
  accounts.use(account.id);

/**
 * MetaMask has asked the person already. We ask again where the settings say so, and wherever there is a danger;
 * and always for a dapp at our own door, for whom nobody has asked yet.
 */
async function consentToSignature(
  prepared: PreparedMethod<unknown>,
  entry: AccountEntry,
  {
    origin,
    originMetadata,
    chainId,
  }: Pick<SubmittedRequest, 'origin' | 'originMetadata'> & { chainId: bigint | undefined },
  deps: CallerDeps,
): Promise<void> {
  const { accounts, balance, consent, isDapp = false, library, now } = deps;
  const { address } = entry.account;
  const settings = await accounts.settings();
  const explanation = await library.lookForDangers(
    prepared.explain({
      signer: address as Hex,
      now: now(),
      balance,
      ...(chainId !== undefined && { chainId }),
      ...(isDapp && { origin }),
    }),
  );
  if (!isDapp && settings.confirmSignatures !== 'always' && explanation.dangers.length === 0) return;
  await consent(
    ConfirmSignatureScreen({
      explanation: await library.complete(explanation),
      address: address as Hex,
      origin,
      originMetadata,
    }),
  );
  await assertStillThere(entry, deps);
}

async function answerEoa(
  entry: EoaEntry,
  withKey: AccountInUse['withKey'],
  { origin, originMetadata, scope, request }: SubmittedRequest,
  deps: CallerDeps,
) {
  const { method: name, params } = request;
  if (!isEoaMethod(name)) return notOffered(name);
  const prepared = METHODS[name].prepare(params);
  assertAddresses(prepared.subject.addresses, entry);
  assertChain(prepared.subject.chain, scope);
  await consentToSignature(prepared, entry, { origin, originMetadata, chainId: chainOfScope(scope) }, deps);
  return prepared.run({ signDigest: async (digest) => signFor(await withKey(), deps.entropy, digest) });
}

/**
 * A message signed by a smart account, for its contract to verify (ERC-1271), wrapped by what deploys the
 * contract while it is not there (ERC-6492). The node is asked first: if it does not tell, nothing is signed.
 */
async function answerMessage(
  entry: SmartAccountEntry,
  withKey: AccountInUse['withKey'],
  name: (typeof MESSAGE_METHODS)[number],
  { origin, originMetadata, scope, request: { params } }: SubmittedRequest,
  deps: CallerDeps,
) {
  const account = smartAccountOf(entry);
  const { address, deployment, kind } = account;
  const { messageDigest, title } = kind;
  if (messageDigest === undefined)
    throw new MethodNotSupportedError(
      `request.method: a ${title} cannot verify messages (ERC-1271), so nobody could check a signature of "${name}"`,
    );
  const prepared = METHODS[name].prepare(params);
  assertAddresses(prepared.subject.addresses, entry);
  const { place, senderState } = await chainOfRequest(entry, account, scope, deps);
  const { chainId } = place;
  assertChain(prepared.subject.chain, chainNameOf(chainId));
  const { isDeployed } = await senderState();
  await consentToSignature(prepared, entry, { origin, originMetadata, chainId }, deps);
  const signature = await prepared.run({
    signDigest: async (digest) => signFor(await withKey(), deps.entropy, messageDigest(digest, address, chainId)),
  });
  return withDeployment(signature as Hex, isDeployed ? '0x' : kind.initCode(deployment));
}

/** What a user operation does MetaMask cannot tell: before one is signed, we always ask. */
async function answerSmartAccount(
  entry: SmartAccountEntry,
  withKey: AccountInUse['withKey'],
  { origin, originMetadata, scope, request }: SubmittedRequest,
  deps: CallerDeps,
) {
  const { consent, entropy, library, now } = deps;
  const { method: name, params } = request;
  if (!isUserOperationMethod(name)) return notOffered(name);
  const prepared = USER_OPERATION_METHODS[name].prepare(params);
  assertAddresses(prepared.addresses, entry);
  const account = smartAccountOf(entry);
  const { explanation, run } = await prepared.review({
    account,
    now: now(),
    chain: () => chainOfRequest(entry, account, scope, deps),
    signDigest: async (digest) => signFor(await withKey(), entropy, digest),
  });
  if (explanation !== undefined) {
    await consent(
      ConfirmSignatureScreen({
        explanation: await library.complete(explanation),
        address: account.address,
        origin,
        originMetadata,
      }),
    );
    await assertStillThere(entry, deps);
  }
  return run();
}

function answerFor({ entry, withKey }: AccountInUse, request: SubmittedRequest, deps: CallerDeps): Promise<Json> {
  if (!isSmart(entry)) return answerEoa(entry, withKey, request, deps);
  const { method } = request.request;
  return isMessageMethod(method)
    ? answerMessage(entry, withKey, method, request, deps)
    : answerSmartAccount(entry, withKey, request, deps);
}

/**
 * `keyring_submitRequest`: runs an account method, at once.
 *
 * @throws {NotFoundError} If there is no such account.
 * @throws {MethodNotSupportedError} If the account does not have the method.
 * @throws {InvalidParamsError} Naming the field and the rule; nothing is signed.
 * @throws {UserRejectedError} If the signature is refused in our dialog.
 */
export async function submitRequest(request: SubmittedRequest, deps: CallerDeps): Promise<KeyringResponse> {
  const account = await deps.accounts.use(request.account);
  const scope = request.request.method === 'eth_signTypedData_v4' ? typedDataScope(request.scope) : request.scope;
  // Checked for every method, also for those that no chain is needed for.
  chainOfScope(scope);
  return { pending: false, result: await answerFor(account, { ...request, scope }, deps) };
}
