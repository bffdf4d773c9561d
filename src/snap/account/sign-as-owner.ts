import { slice } from 'viem/utils';

import { address as addressLine } from '../../core/decode/words/lines';
import { type Explanation, type Viewpoint } from '../../core/decode/explanation';
import { safeMessageDigest } from '../../core/safe/safe-message';
import { InvalidParamsError, NotFoundError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { AddressStruct } from '../../core/schemas/address';
import { chainIdOf, ChainNameStruct } from '../../core/schemas/chain';
import { BytesStruct } from '../../core/structs/hex';
import { exactOptional, type Infer, object, parse, string } from '../../core/structs/struct';
import { TypedDataStruct } from '../../core/schemas/typed-data';
import { toUserOperation, UserOperationStruct } from '../../core/schemas/user-operation';
import { type SignatureRequest } from './methods';
import { type SignDigest, type SigningRequest } from './methods/define-method';
import { ethSignTypedDataV4 } from './methods/eth-sign-typed-data-v4';
import { reviewUserOperation } from './methods/eth-sign-user-operation';
import { personalSign } from './methods/personal-sign';
import { signAndKeep } from './signed/sign-and-keep';
import { preview } from '../explain/preview';
import { type AccountEntry, isSmart } from './account';
import { SAFE_KIND } from './alarmed';
import { askToSign, rememberSigning, withMore } from './ask-to-sign';
import { type AccountDeps, type SigningDeps } from './deps';
import { signFor } from './keys';
import { chainOfRequest } from './operation-request';
import { namesIn } from './names';
import { keptOfRequest } from './sign-request';
import { smartAccountOf } from './smart-account';

const OwnerParamsStruct = object({
  /** The Safe itself, whose own key signs, or a standard account that is its owner. */
  account: AddressStruct,
  safe: AddressStruct,
  chainId: ChainNameStruct,
  message: exactOptional(BytesStruct),
  typedData: exactOptional(TypedDataStruct),
  /** The site that asks for the message, if that is known. It is only explained then. */
  origin: exactOptional(string()),
  operation: exactOptional(UserOperationStruct),
});
type OwnerParams = Infer<typeof OwnerParamsStruct>;

/** The validity before the signatures of an operation, in bytes. */
const VALIDITY_BYTES = 12;

const invalid = (field: string, rule: string): InvalidParamsError => new InvalidParamsError(`params.${field}`, rule);

/** What is signed, once the person agrees. */
type Review = {
  readonly explain: (view: Viewpoint) => Explanation;
  readonly sign: () => Promise<Hex>;
  /** The method that a site would call for it. */
  readonly method: 'personal_sign' | 'eth_signTypedData_v4' | 'eth_signUserOperation';
  /** The message, unless it is an operation. */
  readonly request?: SignatureRequest;
};

/** The network of the Safe says whether the account's own key is still an owner, and how many owners must sign. */
async function stateOf(
  entry: AccountEntry,
  safe: Hex,
  chainId: bigint,
  caller: string,
  deps: Pick<AccountDeps, 'chains' | 'prepared'>,
) {
  if (!isSmart(entry) || entry.smart.kind !== SAFE_KIND || !isSameAddress(entry.account.address, safe))
    throw invalid('account', 'must be the Safe itself, or a standard account');
  const account = smartAccountOf(entry);
  const chain = await chainOfRequest(entry, account, { chainId, caller }, deps);
  const state = await chain.senderState();
  if (!state.isDeployed) throw invalid('safe', 'must be deployed on this network');
  return { account, chain, state };
}

/** An operation, as it is shown before the account sends one. Another owner prepared it. */
async function reviewOperation(
  json: NonNullable<OwnerParams['operation']>,
  { account, chain, state }: Awaited<ReturnType<typeof stateOf>>,
  signDigest: SignDigest,
): Promise<Review> {
  const operation = Object.freeze(toUserOperation(json));
  if (!isSameAddress(operation.sender, account.address)) throw invalid('operation.sender', 'must be the account');
  if (operation.initCode !== '0x') throw invalid('operation.initCode', 'must be 0x: the account is deployed');
  // Operations with another key have an order of their own.
  if (operation.nonce < state.nonce || operation.nonce >> 64n > 0n)
    throw invalid(
      'operation.nonce',
      `must be at least ${state.nonce}, of key 0: the account has used the earlier ones`,
    );
  const signaturesNeeded = state.coOwners?.threshold;
  const { explain, sign } = await reviewUserOperation(
    { account, chain, signDigest },
    operation,
    () => Promise.resolve(false),
    { signaturesNeeded },
  );
  // Without the validity before it, which belongs to the signatures of all owners.
  return { explain, sign: async () => slice(await sign(), VALIDITY_BYTES), method: 'eth_signUserOperation' };
}

/** A message, as the account is asked for it. */
function requestOf({ message, typedData, account }: OwnerParams, chainId: bigint): SigningRequest<Hex> {
  const request =
    message === undefined ? ethSignTypedDataV4.decode([account, typedData]) : personalSign.decode([message, account]);
  if (request.chain !== undefined && request.chain.chainId !== chainId)
    throw invalid('typedData.domain.chainId', `must be ${chainId}, the network of the Safe`);
  return request;
}

/** A message, as it is shown to the account that a site asks. */
function reviewMessage(given: OwnerParams, chainId: bigint, signDigest: SignDigest): Review {
  const { message, safe } = given;
  const request = requestOf(given, chainId);
  return {
    request,
    explain: (view) =>
      withMore(request.explain({ ...view, signer: safe }), { main: [addressLine('Signs for the Safe', safe)] }),
    sign: () => request.sign((digest) => signDigest(safeMessageDigest(digest, safe, chainId))),
    method: message === undefined ? 'eth_signTypedData_v4' : 'personal_sign',
  };
}

/**
 * `keystead_explainMessage`: what a message of a Safe means, for a page on which owners sign it that Keystead does not
 * know. Nothing is signed.
 *
 * @throws {InvalidParamsError} If the message is invalid; names the field and the rule.
 */
export async function explainMessage(
  params: unknown,
  deps: Pick<AccountDeps, 'accounts' | 'chains' | 'library' | 'now' | 'sources'>,
): Promise<Explanation> {
  const given = parse(OwnerParamsStruct, params, 'params');
  const { safe, origin } = given;
  const chainId = chainIdOf(given.chainId);
  const view: Viewpoint = {
    signer: safe,
    now: deps.now(),
    chainId,
    contractMetadata: deps.library.descriptions,
    ...(origin !== undefined && { origin }),
    ...(await namesIn(deps)),
  };
  // What is left out is not JSON: the open questions, and a time.
  const {
    unresolved: _open,
    usable: _usable,
    ...shown
  } = await preview(requestOf(given, chainId).explain(view), view, deps);
  return shown;
}

/**
 * `keystead_signAsOwner`: signs as one owner of a Safe what another owner proposed: a user operation or a message. The
 * account is the Safe itself, whose own key signs, or a standard account that is an owner. The user is always asked.
 *
 * @param origin - The companion page that asks.
 * @returns 65 bytes r, s, v. The account accepts them only together with those of enough other owners.
 * @throws {InvalidParamsError} If the request is invalid; names the field and the rule.
 * @throws {ServiceFailedError} If the Safe's own key is not an owner, or the node does not respond.
 * @throws {UserRejectedError} If the user rejects it.
 */
export async function signAsOwner(
  params: unknown,
  deps: SigningDeps & Pick<AccountDeps, 'consent'>,
  origin: string,
): Promise<Hex> {
  const given = parse(OwnerParamsStruct, params, 'params');
  const { account, safe, chainId: chainName, message, typedData, operation } = given;
  if ([message, typedData, operation].filter((one) => one !== undefined).length !== 1)
    throw new InvalidParamsError('params', 'must have one of message, typedData and operation');
  const chainId = chainIdOf(chainName);
  const entry = (await deps.accounts.entries()).find((one) => isSameAddress(one.account.address, account));
  if (entry === undefined) throw new NotFoundError('account: Keystead has no account with this address');
  const signDigest: SignDigest = async (digest) =>
    signFor(await deps.accounts.get(entry.account.id), deps.entropy, digest);
  const state =
    isSmart(entry) || operation !== undefined ? await stateOf(entry, safe, chainId, origin, deps) : undefined;
  const { explain, sign, method, request } =
    state !== undefined && operation !== undefined
      ? await reviewOperation(operation, state, signDigest)
      : reviewMessage(given, chainId, signDigest);
  const { consent, now } = deps;
  // It came from another owner, so changes of owners in it are dangers.
  const explanation = await askToSign(explain, { entry, origin, consent }, { chainId }, deps);
  // The Safe's own key signs for the account itself.
  const forSafe = isSmart(entry) ? undefined : { safe, chainId };
  const kept = request && keptOfRequest(request, explanation, entry, { origin }, deps, forSafe);
  const signature = await signAndKeep(sign, kept, deps);
  await rememberSigning([explanation], entry, deps, { at: Number(now()) * 1000, origin, method, chainId: chainName });
  return signature;
}
