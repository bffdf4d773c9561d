import { type Json } from '@metamask/snaps-sdk';

import { type Explanation } from '../../core/decode/explanation';
import { withDeployment } from '../../core/erc4337/erc6492';
import { KINDS } from '../../core/kinds';
import { InternalError, InvalidParamsError } from '../../core/errors';
import { fromHex, type Hex, toHex } from '../../core/eth/bytes';
import { type Kept, keptOf } from '../../core/ledger/signed/kept';
import { contentDigest, safeMessageDigest } from '../../core/safe/safe-message';
import { chainNameOf } from '../../core/schemas/chain';
import { type OriginMetadata } from '../../core/schemas/origin-metadata';
import { assertAllowedDelegate } from './delegations/allowed-delegate';
import { type SignatureRequest } from './methods';
import { type NamedChain, type SigningRequest } from './methods/define-method';
import { type OperationSigningRequest } from './methods/define-user-operation-method';
import { type Consent } from '../wallet/dialogs';
import { type Signed } from '../explain/recipients/repository';
import { signAndKeep } from './signed/sign-and-keep';
import { chainOfRequest, senderOf } from './operation-request';
import { askToSign, comparedWithHistory, rememberSigning, signAndRemember, withMore } from './ask-to-sign';
import { isAlarmed } from './alarmed';
import { DANGER } from '../screens/confirm-signature';
import { type AccountEntry, assertAccount, type EoaEntry, isSmart, type SmartAccountEntry } from './account';
import { type AccountDeps, type SigningDeps } from './deps';
import { foreignCodeWarning } from './foreign-code';
import { signFor } from './keys';
import { type AccountInUse } from './repository';
import { signWithOwners } from './sign-with-owners';
import { smartAccountOf } from './smart-account';

/** The origin and network of a signature request, and how the user is asked on its behalf. */
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
  readonly consent: Consent;
  /** Called before a signature is returned that the user agreed to in an earlier request of the same. */
  readonly onAgreed?: (() => void) | undefined;
};

/** Runs what signs, after the user has agreed to the explanation. */
type Signing = <T>(
  sign: () => Promise<T>,
  agreed: {
    readonly explanation: Explanation;
    readonly chainId: bigint | undefined;
    /** Of what is signed, where it is known before. */
    readonly hash?: Hex;
  },
) => Promise<T>;

/** A chain in the parameters must match the request's chain. */
function assertChain(named: NamedChain | undefined, chainId: bigint | undefined): void {
  if (chainId !== undefined && named !== undefined && named.chainId !== chainId)
    throw new InvalidParamsError(named.field, `must be ${chainId}, the chain of the request`);
}

/** Authorizations (EIP-7702) may only name contracts on the list. */
async function assertDelegates(
  { chain, delegates }: SigningRequest<unknown>,
  { delegates: added }: Pick<AccountDeps, 'delegates'>,
): Promise<void> {
  for (const delegate of delegates) {
    if (chain === undefined) throw new InternalError('Authorizations without a chain passed validation.');
    await assertAllowedDelegate(delegate, chainNameOf(chain.chainId), added);
  }
}

/** The account may have been deleted while a dialog was open. */
const assertStillThere = ({ account }: AccountEntry, { accounts }: Pick<AccountDeps, 'accounts'>): Promise<unknown> =>
  accounts.use(account.id);

/** The reason to ask once more after MetaMask. */
function reasonToAsk({ dangers, isUnread }: Explanation): string {
  if (isUnread === true) return 'Keystead cannot read what this message means';
  return dangers.length > 0 ? DANGER : 'it is in question who controls this account';
}

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
  requester: Omit<Requester, 'caller'>,
  deps: SigningDeps,
): Promise<Explanation> {
  const { origin, walletHasAsked, chainId, balance } = requester;
  const { accounts, library, now, recipients } = deps;
  const signer = entry.account.address as Hex;
  const warning =
    request.isForContracts === true && !isSmart(entry)
      ? await foreignCodeWarning(signer, request.chain?.chainId ?? chainId, deps)
      : undefined;
  const explain: typeof request.explain = (view) => {
    const explanation = request.explain(view);
    return warning === undefined ? explanation : withMore(explanation, { warnings: [warning] });
  };
  const known = {
    balance,
    ...(chainId !== undefined && { chainId }),
    ...(walletHasAsked !== true && { origin }),
  };
  let explained: Explanation | undefined;
  const always = warning === undefined ? 'your settings say so' : 'the account runs the code of a contract';
  let because = walletHasAsked === true ? always : undefined;
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
      if (explained.dangers.length === 0 && !(isSmart(entry) && (await isAlarmed(entry, deps)))) return explained;
    }
    because = reasonToAsk(explained);
  }
  const said =
    walletHasAsked === true && request.subject !== undefined
      ? await deps.shown.take(signer, request.subject(), Number(now())).catch(() => undefined)
      : undefined;
  const agreed = await askToSign(explain, { ...requester, entry, explained, because, said }, known, deps);
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
  requester: Omit<Requester, 'caller'>,
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
 * signed. If several owners must sign, their signatures are collected.
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
  const { domain, senderState } = await chainOfRequest(entry, account, requester, deps);
  const { chainId } = domain;
  assertChain(request.chain, chainId);
  const { isDeployed, coOwners } = await senderState();
  const digestOf = (hash: Uint8Array): Uint8Array => messageDigest(hash, address, chainId);
  const signOwn = async ({ explain }: Pick<SigningRequest<Json>, 'explain'>): Promise<Hex> => {
    const explanation = await consentToSignature({ ...request, explain }, entry, { ...requester, chainId }, deps);
    const signature = await signing(
      () => request.sign(async (digest) => signFor(await withKey(), deps.entropy, digestOf(digest))),
      { explanation, chainId },
    );
    return signature as Hex;
  };
  if (coOwners === undefined) return withDeployment(await signOwn(request), isDeployed ? '0x' : initCode);
  const { origin, onAgreed } = requester;
  return signWithOwners({ request, account: address, chainId, origin, coOwners, digestOf, onAgreed }, signOwn, deps);
}

/** Signs a user operation. MetaMask cannot explain them, so we always ask. */
async function signOperation(
  request: OperationSigningRequest<Json>,
  { entry, withKey }: AccountInUse,
  requester: Requester,
  deps: SigningDeps,
  signing: Signing,
): Promise<Json> {
  assertAccount(request.account, entry);
  const sender = await senderOf(entry, requester, deps);
  const chain = await sender.chain();
  const { explain, sign, hash } = await request.review({
    account: sender.account,
    chain,
    signDigest: async (digest) => signFor(await withKey(), deps.entropy, digest),
  });
  const explanation = await askToSign(explain, { ...requester, entry }, {}, deps);
  await assertStillThere(entry, deps);
  return signing(sign, { explanation, chainId: chain.domain.chainId, hash: toHex(hash) });
}

type ForSafe = { readonly safe: Hex; readonly chainId: bigint };

/** What an owner signs counts for the Safe alone, on its network. */
const boundTo = ({ safe, chainId }: ForSafe, message: Hex) => ({
  chainId: chainNameOf(chainId),
  forSafe: { address: safe, message },
  hash: toHex(safeMessageDigest(fromHex(message), safe, chainId)),
});

/**
 * @param forSafe - The Safe for which the account signs as an owner.
 * @returns What is kept of a signature that others can use.
 */
export function keptOfRequest(
  request: SignatureRequest,
  explanation: Explanation,
  { account }: AccountEntry,
  { origin }: Pick<Requester, 'origin'>,
  { now }: Pick<AccountDeps, 'now'>,
  forSafe?: ForSafe,
): Kept | undefined {
  if ('review' in request || explanation.usable === undefined) return undefined;
  const { chain, typed, message } = request;
  const signed = typed?.hash ?? (message && toHex(contentDigest({ message })));
  if (signed === undefined) return undefined;
  const facts = {
    account: account.address as Hex,
    origin,
    at: Number(now()) * 1000,
    hash: signed,
    ...(chain !== undefined && { chainId: chainNameOf(chain.chainId) }),
    ...(forSafe !== undefined && boundTo(forSafe, signed)),
  };
  return keptOf(explanation, facts, typed?.data);
}

/**
 * Signs what a valid request asks for, with a method that the account supports. A signature is recorded while it is
 * made. The hash of a transaction covers its signature, so a transaction is recorded afterwards.
 *
 * @returns The method's result, as JSON.
 * @throws {InvalidParamsError} If the request is invalid; names the field and the rule. Nothing is signed.
 * @throws {UserRejectedError} If the user rejects the request. Nothing is signed.
 */
export async function signRequest(
  method: string,
  request: SignatureRequest,
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
    signAndRemember(
      () => signAndKeep(sign, keptOfRequest(request, explanation, entry, requester, deps), deps),
      explanation,
      entry,
      deps,
      record(chainId, hash),
    );
  if ('review' in request) return signOperation(request, account, requester, deps, recorded);
  if (isSmart(entry)) return signAsContract(request, { entry, withKey }, requester, deps, recorded);
  if (request.hash === undefined)
    return (await signAsEoa(request, { entry, withKey }, requester, deps, recorded)).signed;
  const { signed, explanation } = await signAsEoa(request, { entry, withKey }, requester, deps);
  const chainId = requester.chainId ?? request.chain?.chainId;
  await rememberSigning([explanation], entry, deps, record(chainId, request.hash(signed)));
  return signed;
}
