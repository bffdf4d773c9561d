import { type Json, type OriginMetadata } from '@metamask/snaps-sdk';

import { withDeployment } from '../../core/erc4337/erc6492';
import { KINDS } from '../../core/erc4337/kinds';
import { InternalError, InvalidParamsError, MethodNotSupportedError, quoted } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { type AccountRequest, isEoaMethod, isMessageMethod, isUserOperationMethod } from '../methods';
import { type NamedAccount } from '../methods/account-path';
import { type NamedChain, type SigningRequest } from '../methods/define-method';
import { type UserOperationRequest } from '../methods/define-user-operation-method';
import { ConfirmSignatureScreen } from '../ui/confirm-signature';
import { type AccountEntry, type EoaEntry, isSmart, type SmartAccountEntry } from './account';
import { chainOfRequest } from './chain-of-request';
import { type AccountDeps } from './deps';
import { signFor } from './keys';
import { type AccountInUse } from './repository';
import { smartAccountOf } from './smart-account';

/** Who asks for a signature, and for which network. */
export type Requester = {
  /** What the person is shown as the one who asks. */
  readonly origin: string;
  /** Who called the snap, which the wallet vouches for: `metamask`, or the origin of a site. */
  readonly caller: string;
  /** What a site says of itself, where the wallet cannot verify it. */
  readonly originMetadata?: OriginMetadata | null | undefined;
  /** The wallet has shown its own confirmation. Without this, every signature asks, and names the site. */
  readonly walletHasAsked?: true;
  /** Undefined where the request names no network. */
  readonly chainId: bigint | undefined;
  /** What the account has to pay with, wei, where the caller knows it. */
  readonly balance?: bigint | undefined;
};

export type SigningDeps = Pick<
  AccountDeps,
  'accounts' | 'chains' | 'consent' | 'entropy' | 'library' | 'now' | 'prepared'
>;

/** The account's id is the truth: an address in the parameters must agree with it. */
function assertAccount(named: NamedAccount | undefined, { account }: AccountEntry): void {
  if (named !== undefined && !isSameAddress(named.address, account.address))
    throw new InvalidParamsError(named.field, 'must be the address of the account the request is for');
}

/** So must a chain in the parameters with the request's. */
function assertChain(named: NamedChain | undefined, chainId: bigint | undefined): void {
  if (chainId !== undefined && named !== undefined && named.chainId !== chainId)
    throw new InvalidParamsError(named.field, 'must be the chain of the scope');
}

/**
 * Refuses a method that the account does not have.
 *
 * @throws {MethodNotSupportedError} Naming the method.
 */
export function assertOffers(entry: AccountEntry, method: string): void {
  if (isSmart(entry) && isMessageMethod(method)) {
    const { messageDigest, title } = KINDS[entry.smart.kind];
    if (messageDigest !== undefined) return;
    throw new MethodNotSupportedError(
      `request.method: a ${title} cannot verify messages (ERC-1271), so nobody could check a signature of "${method}"`,
    );
  }
  if (isSmart(entry) ? isUserOperationMethod(method) : isEoaMethod(method)) return;
  throw new MethodNotSupportedError(`request.method: the account does not have the method ${quoted(method)}`);
}

/** While a dialog was open the account may have been deleted. */
const assertStillThere = ({ account }: AccountEntry, { accounts }: SigningDeps): Promise<unknown> =>
  accounts.use(account.id);

/**
 * MetaMask has asked the person already. We ask again where the settings say so, and wherever there is a danger; and
 * always for a site that calls us directly.
 */
async function consentToSignature(
  request: SigningRequest<unknown>,
  entry: AccountEntry,
  { origin, originMetadata, walletHasAsked, chainId, balance }: Requester,
  deps: SigningDeps,
): Promise<void> {
  const { accounts, consent, library, now } = deps;
  const { address } = entry.account;
  const settings = await accounts.settings();
  const explanation = await library.lookForDangers(
    request.explain({
      signer: address,
      now: now(),
      balance,
      ...(chainId !== undefined && { chainId }),
      ...(walletHasAsked !== true && { origin }),
    }),
  );
  const mayBeSilent = walletHasAsked === true && settings.confirmSignatures !== 'always';
  if (mayBeSilent && explanation.dangers.length === 0) return;
  await consent(
    ConfirmSignatureScreen({ explanation: await library.complete(explanation), address, origin, originMetadata }),
  );
  await assertStillThere(entry, deps);
}

/**
 * Has an externally owned account sign: checks who and where, asks the person, signs.
 *
 * @throws {InvalidParamsError} If the request is for another account or chain.
 * @throws {UserRejectedError} If the person refuses; nothing is signed then.
 */
export async function signAsEoa<Signed>(
  request: SigningRequest<Signed>,
  { entry, withKey }: AccountInUse & { readonly entry: EoaEntry },
  requester: Requester,
  deps: SigningDeps,
): Promise<Signed> {
  assertAccount(request.account, entry);
  assertChain(request.chain, requester.chainId);
  await consentToSignature(request, entry, requester, deps);
  return request.sign(async (digest) => signFor(await withKey(), deps.entropy, digest));
}

/**
 * Has a smart account sign a message that its contract can verify (ERC-1271). While the contract is not deployed, the
 * signature is wrapped in what deploys it (ERC-6492). If the node does not say whether it is, nothing is signed.
 */
async function signAsContract(
  request: SigningRequest<Json>,
  { entry, withKey }: AccountInUse & { readonly entry: SmartAccountEntry },
  requester: Requester,
  deps: SigningDeps,
): Promise<Hex> {
  const account = smartAccountOf(entry);
  const { address, deployment, kind } = account;
  const { messageDigest } = kind;
  if (messageDigest === undefined) throw new InternalError(`A ${kind.title} cannot sign messages. Nothing was signed.`);
  assertAccount(request.account, entry);
  const { place, senderState } = await chainOfRequest(entry, account, requester, deps);
  const { chainId } = place;
  assertChain(request.chain, chainId);
  const { isDeployed } = await senderState();
  await consentToSignature(request, entry, { ...requester, chainId }, deps);
  const signature = await request.sign(async (digest) =>
    signFor(await withKey(), deps.entropy, messageDigest(digest, address, chainId)),
  );
  return withDeployment(signature as Hex, isDeployed ? '0x' : kind.initCode(deployment));
}

/** MetaMask cannot say what a user operation does, so we always ask before one is signed. */
async function runUserOperation(
  request: UserOperationRequest<Json>,
  { entry, withKey }: AccountInUse & { readonly entry: SmartAccountEntry },
  requester: Requester,
  deps: SigningDeps,
): Promise<Json> {
  const { consent, entropy, library, now } = deps;
  const { origin, originMetadata } = requester;
  assertAccount(request.account, entry);
  const account = smartAccountOf(entry);
  const { explanation, run } = await request.review({
    account,
    now: now(),
    chain: () => chainOfRequest(entry, account, requester, deps),
    signDigest: async (digest) => signFor(await withKey(), entropy, digest),
  });
  if (explanation !== undefined) {
    const { address } = account;
    await consent(
      ConfirmSignatureScreen({ explanation: await library.complete(explanation), address, origin, originMetadata }),
    );
    await assertStillThere(entry, deps);
  }
  return run();
}

/**
 * Runs a request of a method that the account has, with valid parameters.
 *
 * @returns The method's result, as JSON.
 * @throws {InvalidParamsError} Naming the field and the rule; nothing is signed.
 * @throws {UserRejectedError} If the person refuses; nothing is signed.
 */
export async function runAccountRequest(
  { signing, operation }: AccountRequest,
  { entry, withKey }: AccountInUse,
  requester: Requester,
  deps: SigningDeps,
): Promise<Json> {
  if (!isSmart(entry)) {
    if (signing === undefined) throw new InternalError('An externally owned account has no user operations.');
    return signAsEoa(signing, { entry, withKey }, requester, deps);
  }
  return signing === undefined
    ? runUserOperation(operation, { entry, withKey }, requester, deps)
    : signAsContract(signing, { entry, withKey }, requester, deps);
}
