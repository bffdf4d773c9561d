import { type Json } from '@metamask/snaps-sdk';

import { type Explanation } from '../../core/decode/explanation';
import { withDeployment } from '../../core/erc4337/erc6492';
import { KINDS } from '../../core/erc4337/kinds';
import { InternalError, InvalidParamsError, MethodNotSupportedError, quoted } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex, toHex } from '../../core/eth/bytes';
import { chainNameOf } from '../../core/schemas/chain';
import { type OriginMetadata } from '../../core/schemas/origin-metadata';
import { assertAllowedDelegate } from '../delegations/allowed-delegate';
import { foreignDelegation, upgradeOf } from '../delegations/upgrade';
import { type OperationChain, type UserOperationContext } from '../methods/user-operation-context';
import { type Signed } from '../recipients/repository';
import { operationChain } from '../networks/operation-chain';
import { servicesOf } from '../networks/services';
import { type AccountRequest, isEoaMethod, isMessageMethod, isUserOperationMethod } from '../methods';
import { type NamedAccount } from '../methods/account-path';
import { type NamedChain, type SigningRequest } from '../methods/define-method';
import { type UserOperationRequest } from '../methods/define-user-operation-method';
import { askToSign, comparedWithHistory, rememberSigning, signAndRemember } from './ask-to-sign';
import { isAlarmed } from './alarmed';
import { type AccountEntry, type EoaEntry, isSmart, type SmartAccountEntry } from './account';
import { chainOfRequest } from './chain-of-request';
import { type AccountDeps } from './deps';
import { foreignCodeWarning, withWarning } from './foreign-code';
import { signFor } from './keys';
import { type AccountInUse } from './repository';
import { smartAccountOf } from './smart-account';

/** The origin and network of a signature request. */
export type Requester = {
  /** The origin that the screen names. */
  readonly origin: string;
  /** The origin that called the snap, which the wallet vouches for: `metamask`, or a site. */
  readonly caller: string;
  /** The claims of a site about itself, if MetaMask cannot verify it. */
  readonly originMetadata?: OriginMetadata | null | undefined;
  /** MetaMask has asked the user. Without this, every signature shows our dialog, which names the site. */
  readonly walletHasAsked?: true;
  /** Undefined if the request names no network. */
  readonly chainId: bigint | undefined;
  /** The account's balance in wei, if the caller knows it. */
  readonly balance?: bigint | undefined;
};

export type SigningDeps = Pick<
  AccountDeps,
  | 'accounts'
  | 'recoveriesOf'
  | 'chains'
  | 'consent'
  | 'delegates'
  | 'entropy'
  | 'library'
  | 'now'
  | 'prepared'
  | 'recipients'
  | 'sources'
>;

/** Runs what signs, after the user has agreed to the explanation. */
type Signing = <T>(
  sign: () => Promise<T>,
  agreed: {
    readonly explanation: Explanation;
    readonly chainId: bigint | undefined;
    /** Of what is signed, where it is known before. */
    readonly hash?: Hex | undefined;
  },
) => Promise<T>;

/** The account id decides. An address in the parameters must match it. */
function assertAccount(named: NamedAccount | undefined, { account }: AccountEntry): void {
  if (named !== undefined && !isSameAddress(named.address, account.address))
    throw new InvalidParamsError(named.field, 'must be the address of the account that the request is for');
}

/** A chain in the parameters must match the request's chain. */
function assertChain(named: NamedChain | undefined, chainId: bigint | undefined): void {
  if (chainId !== undefined && named !== undefined && named.chainId !== chainId)
    throw new InvalidParamsError(named.field, `must be ${chainId}, the chain of the request`);
}

/** Authorizations (EIP-7702) may only name contracts on the list. */
async function assertDelegates(
  { chain, delegates }: SigningRequest<unknown>,
  { delegates: added }: SigningDeps,
): Promise<void> {
  for (const delegate of delegates) {
    if (chain === undefined) throw new InternalError('Authorizations without a chain passed validation.');
    await assertAllowedDelegate(delegate, chainNameOf(chain.chainId), added);
  }
}

/**
 * Rejects a method that the account does not support.
 *
 * @param options - `isSite`: a site asks. An externally owned account offers sites the user operation methods too,
 * because it can have a delegate (EIP-7702); MetaMask knows none of them for such an account.
 *
 * @throws {MethodNotSupportedError} If it does not; names the method.
 */
export function assertOffers(entry: AccountEntry, method: string, { isSite = false } = {}): void {
  if (isSmart(entry) && isMessageMethod(method)) {
    const { messageDigest, title } = KINDS[entry.smart.kind];
    if (messageDigest !== undefined) return;
    throw new MethodNotSupportedError(
      `request.method: a ${title} cannot verify message signatures (ERC-1271), so it does not support "${method}"`,
    );
  }
  const offered = isSmart(entry) ? isUserOperationMethod(method) : isEoaMethod(method);
  if (offered || (isSite && isUserOperationMethod(method))) return;
  throw new MethodNotSupportedError(`request.method: the account does not support ${quoted(method)}`);
}

/** The account may have been deleted while a dialog was open. */
const assertStillThere = ({ account }: AccountEntry, { accounts }: SigningDeps): Promise<unknown> =>
  accounts.use(account.id);

/**
 * MetaMask has already asked the user. We ask again if the settings say so, or the request is dangerous, cannot be read
 * or concerns an account with foreign code or one that guardians are recovering, and always for a site that calls us
 * directly.
 *
 * @returns The explanation that was shown or, if nothing was, checked for dangers.
 */
async function consentToSignature(
  request: SigningRequest<unknown>,
  entry: AccountEntry,
  { origin, originMetadata, walletHasAsked, chainId, balance }: Requester,
  deps: SigningDeps,
): Promise<Explanation> {
  const { accounts, library, now, recipients } = deps;
  const signer = entry.account.address as Hex;
  const warning =
    request.isForContracts === true && !isSmart(entry)
      ? await foreignCodeWarning(signer, request.chain?.chainId ?? chainId, deps)
      : undefined;
  const explain: typeof request.explain = (view) => {
    const explanation = request.explain(view);
    return warning === undefined ? explanation : withWarning(explanation, warning);
  };
  const known = {
    balance,
    ...(chainId !== undefined && { chainId }),
    ...(walletHasAsked !== true && { origin }),
  };
  let explained: Explanation | undefined;
  if (walletHasAsked === true && warning === undefined && (await accounts.settings()).confirmSignatures !== 'always') {
    const used = recipients.usedAsKnown(signer);
    const view = {
      signer,
      now: now(),
      contractMetadata: library.descriptions,
      ...(used && { recipients: { used, own: {}, hasCode: {} } }),
      ...known,
    };
    explained = await library.lookForDangers(explain(view));
    // What cannot be read is shown whoever it concerns, and compared then.
    if (explained.isUnread !== true) {
      explained = await comparedWithHistory(explained, signer, used, deps);
      if (explained.dangers.length === 0 && !(await isAlarmed(entry, deps))) return explained;
    }
  }
  const agreed = await askToSign(explain, { entry, origin, originMetadata, explained }, known, deps);
  await assertStillThere(entry, deps);
  return agreed;
}

/**
 * Signs with an externally owned account: checks the account and chain, asks the user if necessary, then signs.
 *
 * @param signing - Runs what signs. Default: nothing besides.
 * @returns The result, and what the user saw or would have seen.
 * @throws {InvalidParamsError} If the parameters name another account or chain.
 * @throws {UserRejectedError} If the user rejects the request. Nothing is signed then.
 */
export async function signAsEoa<Signed>(
  request: SigningRequest<Signed>,
  { entry, withKey }: AccountInUse & { readonly entry: EoaEntry },
  requester: Requester,
  deps: SigningDeps,
  signing: Signing = (sign) => sign(),
): Promise<{ readonly signed: Signed; readonly explanation: Explanation }> {
  assertAccount(request.account, entry);
  assertChain(request.chain, requester.chainId);
  await assertDelegates(request, deps);
  const explanation = await consentToSignature(request, entry, requester, deps);
  const signed = await signing(() => request.sign(async (digest) => signFor(await withKey(), deps.entropy, digest)), {
    explanation,
    chainId: requester.chainId ?? request.chain?.chainId,
  });
  return { signed, explanation };
}

/**
 * Signs a message for a smart account whose contract can verify it (ERC-1271). Before deployment, the signature is
 * wrapped with the deployment call (ERC-6492). If the node does not report whether the account is deployed, nothing is
 * signed.
 */
async function signAsContract(
  request: SigningRequest<Json>,
  { entry, withKey }: AccountInUse & { readonly entry: SmartAccountEntry },
  requester: Requester,
  deps: SigningDeps,
  signing: Signing,
): Promise<Json> {
  const account = smartAccountOf(entry);
  const { address, initCode } = account;
  const { messageDigest, title } = KINDS[entry.smart.kind];
  if (messageDigest === undefined) throw new InternalError(`A ${title} cannot sign messages. Nothing was signed.`);
  assertAccount(request.account, entry);
  const { place, senderState } = await chainOfRequest(entry, account, requester, deps);
  const { chainId } = place;
  assertChain(request.chain, chainId);
  const { isDeployed, coOwners } = await senderState();
  if (coOwners !== undefined)
    throw new MethodNotSupportedError(
      `request.method: ${coOwners.threshold} owners of this account must sign a message on this network, and Keystead collects signatures for user operations only`,
    );
  const explanation = await consentToSignature(request, entry, { ...requester, chainId }, deps);
  const signature = await signing(
    () =>
      request.sign(async (digest) => signFor(await withKey(), deps.entropy, messageDigest(digest, address, chainId))),
    { explanation, chainId },
  );
  return withDeployment(signature as Hex, isDeployed ? '0x' : initCode);
}

/** An externally owned account, as the delegate that it has or can have on the network makes it (EIP-7702). */
async function delegatedAccount(
  { account: { address } }: EoaEntry,
  { chainId, caller }: Requester,
  { chains, delegates, prepared }: SigningDeps,
): Promise<UserOperationContext['account'] & { readonly chain: OperationChain }> {
  const configuration = chainId === undefined ? undefined : await chains.find(chainId);
  if (configuration === undefined)
    throw new InvalidParamsError('scope', 'must be a network that is set up in Keystead');
  const { node } = servicesOf(configuration);
  const upgrade = await upgradeOf(address, configuration, { delegates, node });
  if (upgrade.status === 'foreign') throw foreignDelegation(upgrade.delegate);
  if (upgrade.status === 'unsupported')
    throw new MethodNotSupportedError(
      'request.method: a standard account has user operations only where it can be upgraded (EIP-7702), and this network does not allow that',
    );
  const { account } = upgrade;
  return { ...account, chain: operationChain(configuration, account, { ledger: prepared, caller }) };
}

/** The account of a user operation, and its network. */
async function senderOf(
  entry: AccountEntry,
  requester: Requester,
  deps: SigningDeps,
): Promise<Pick<UserOperationContext, 'account' | 'chain'>> {
  if (isSmart(entry)) {
    const account = smartAccountOf(entry);
    return { account, chain: () => chainOfRequest(entry, account, requester, deps) };
  }
  const { chain, ...account } = await delegatedAccount(entry, requester, deps);
  return { account, chain: () => Promise.resolve(chain) };
}

/** MetaMask cannot explain user operations, so we always ask before signing one. */
async function runUserOperation(
  request: UserOperationRequest<Json>,
  { entry, withKey }: AccountInUse,
  requester: Requester,
  deps: SigningDeps,
  signing: Signing,
): Promise<Json> {
  const { origin, originMetadata } = requester;
  assertAccount(request.account, entry);
  const { account, chain } = await senderOf(entry, requester, deps);
  let { chainId } = requester;
  const { explain, run, hash } = await request.review({
    account,
    chain: async () => {
      const found = await chain();
      chainId = found.place.chainId;
      return found;
    },
    signDigest: async (digest) => signFor(await withKey(), deps.entropy, digest),
  });
  if (explain === undefined) return run();
  const explanation = await askToSign(explain, { entry, origin, originMetadata }, {}, deps);
  await assertStillThere(entry, deps);
  return signing(run, { explanation, chainId, hash: hash && toHex(hash) });
}

/**
 * Runs a valid request for a method that the account supports. A signature is recorded while it is made. The hash of a
 * transaction covers its signature, so a transaction is recorded afterwards.
 *
 * @returns The method's result, as JSON.
 * @throws {InvalidParamsError} If the request is invalid; names the field and the rule. Nothing is signed.
 * @throws {UserRejectedError} If the user rejects the request. Nothing is signed.
 */
export async function runAccountRequest(
  { method, signing: request, operation }: AccountRequest,
  account: AccountInUse,
  requester: Requester,
  deps: SigningDeps,
): Promise<Json> {
  const { entry, withKey } = account;
  const record = (chainId: bigint | undefined, hash: Hex | undefined): Signed => ({
    at: Number(deps.now()) * 1000,
    origin: requester.origin,
    method,
    ...(chainId !== undefined && { chainId: chainNameOf(chainId) }),
    ...(hash !== undefined && { hash }),
  });
  const recorded: Signing = (sign, { explanation, chainId, hash }) =>
    signAndRemember(sign, explanation, entry, deps, record(chainId, hash));
  if (request === undefined) return runUserOperation(operation, account, requester, deps, recorded);
  if (isSmart(entry)) return signAsContract(request, { entry, withKey }, requester, deps, recorded);
  if (request.hash === undefined)
    return (await signAsEoa(request, { entry, withKey }, requester, deps, recorded)).signed;
  const { signed, explanation } = await signAsEoa(request, { entry, withKey }, requester, deps);
  const chainId = requester.chainId ?? request.chain?.chainId;
  await rememberSigning([explanation], entry, deps, record(chainId, request.hash(signed)));
  return signed;
}
