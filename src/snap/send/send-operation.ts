import { fundsFor } from '../../clients/entry-point';
import { wordingOf } from '../../clients/node-wordings';
import { operationFees } from '../../clients/operation-fees';
import { replacementFees } from '../../core/calls/replacement';
import { explainReplacement, type Replaced } from '../../core/decode/explain/replacement';
import { type Explanation, type Viewpoint } from '../../core/decode/explanation';
import { InvalidIntentError } from '../../core/erc4337/invalid-intent';
import { type Intent, type UserOperation } from '../../core/erc4337/user-operation';
import { InvalidParamsError, ProviderError, ServiceFailedError, ServiceRefusedError } from '../../core/errors';
import { signedAuthorization } from '../../core/eth/authorization';
import { type Hex, quantityToHex, toHex } from '../../core/eth/bytes';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { fromUserOperation } from '../../core/schemas/user-operation';
import { type AccountEntry } from '../account/account';
import { askToSign, rememberSigning } from '../account/ask-to-sign';
import { type AccountDeps, type SigningDeps } from '../account/deps';
import { signFor } from '../account/keys';
import { type SignDigest } from '../account/methods/define-method';
import { paymasterDataFor } from '../account/methods/eth-patch-user-operation';
import { prepareUserOperation } from '../account/methods/eth-prepare-user-operation';
import { reviewUserOperation } from '../account/methods/eth-sign-user-operation';
import {
  type CoOwners,
  type OperationChain,
  type SmartAccount,
  changedMeanwhile,
  operationChain,
} from '../network/operation-chain';
import { servicesOf } from '../network/services';
import { isOn } from '../sites/network-of-site';
import { type Consent } from '../wallet/dialogs';
import { signAuthorization } from '../account/signed/sign-and-keep';
import { type Batch, isKept } from './batch';
import { evidenceOfOperation } from './evidence';
import { type OnBroadcast } from './send-recorded';
import { namingSponsor, OptionalSponsorError, type SiteSponsor, sponsoredBy } from './site-sponsor';

/** The network of the calls, and how the site's parameters name a member of one of them. */
type CallsContext = {
  readonly configuration: ChainConfiguration;
  readonly sponsor?: SiteSponsor | undefined;
  readonly fieldOf: (index: number, member: string) => string;
};

/** The account that sends: a smart account, or an externally owned account with a delegate (EIP-7702). */
type Sender = { readonly entry: AccountEntry; readonly account: SmartAccount };

/** The origin of the calls, whether that is Keystead itself, and how the user is asked on its behalf. */
type Asking = {
  readonly origin: string;
  readonly isOwnPage: boolean;
  readonly consent: Consent;
  /** Contracts that Keystead itself calls by their meaning. */
  readonly vouchedFor?: readonly Hex[];
  /** The operation that is replaced, if one is. */
  readonly replaced?: Replaced;
};

export type SentOperation = Batch['sent'] & { as: 'operation' };

/** An operation without its signature, and the latest block. */
type Built = {
  readonly operation: UserOperation;
  readonly block: bigint | undefined;
  /** Absent if the account's own key is enough. */
  readonly coOwners?: CoOwners;
};

/** Prepares the operation and requests sponsorship. Only the signature is missing afterwards. */
async function buildOperation(
  intents: readonly Intent[],
  account: SmartAccount,
  chain: OperationChain,
  { configuration, fieldOf }: CallsContext,
  replaced: Replaced | undefined,
): Promise<Built> {
  const { node, bundler } = servicesOf(configuration);
  const [{ draft, gasLimits, paymasterIsFinal, coOwners }, { fees: now, block }] = await Promise.all([
    prepareUserOperation(account, chain, intents).catch((error: unknown) => {
      if (!(error instanceof InvalidIntentError)) throw error;
      throw new InvalidParamsError(fieldOf(error.index, error.member), error.rule);
    }),
    operationFees(node, bundler()),
  ]);
  if (gasLimits === undefined)
    throw new ServiceFailedError('The bundler does not respond, so the operation cannot be sent. Nothing was signed.');
  if (replaced !== undefined && (draft.nonce !== replaced.nonce || coOwners !== undefined)) throw changedMeanwhile();
  const fees = replaced === undefined ? now : replacementFees(replaced.fees, now);
  const operation = { ...draft, ...gasLimits, ...fees };
  if (coOwners !== undefined) {
    // The fees of the network may rise until everyone has signed.
    const maxFeePerGas = 2n * fees.maxFeePerGas;
    return { operation: { ...operation, maxFeePerGas }, block, coOwners };
  }
  if (paymasterIsFinal) return { operation, block };
  return { operation: { ...operation, paymasterAndData: await paymasterDataFor(operation, chain) }, block };
}

/**
 * Signs the authorization that the user agreed to, if the account still needs exactly this one. For an account that is
 * delegated already, checks that it still runs the same code. The operation's nonce must still be the next one.
 */
async function authorizationOf(
  { authorization, nonce, sender }: UserOperation,
  { domain: { delegate }, senderState }: OperationChain,
  origin: string,
  signDigest: SignDigest,
  deps: Pick<AccountDeps, 'now' | 'signed'>,
): Promise<Pick<UserOperation, 'authorization'>> {
  if (delegate === undefined) return {};
  const { nonce: next, isDeployed, authorizationNonce } = await senderState();
  if (nonce !== next || isDeployed !== (authorization === undefined) || authorizationNonce !== authorization?.nonce)
    throw changedMeanwhile();
  if (authorization === undefined) return {};
  const signature = await signAuthorization(authorization, { account: sender, origin }, signDigest, deps);
  return { authorization: signedAuthorization(authorization, signature) };
}

/**
 * A bundler may have an operation and refuse it, because it was sent twice on the way.
 *
 * @returns Whether it is unclear that the bundler has it.
 * @throws {ServiceRefusedError} The refusal, if neither the network nor the bundler has it.
 */
async function isUnclearAfter(
  refusal: ServiceRefusedError,
  sent: SentOperation,
  { account }: AccountEntry,
  configuration: ChainConfiguration,
): Promise<boolean> {
  const { bundler, node } = servicesOf(configuration);
  const looking = evidenceOfOperation(account.address as Hex, sent, node, bundler);
  const evidence = await looking.catch(() => 'unknown' as const);
  if (typeof evidence === 'object') return false;
  const hasIt = () =>
    bundler()
      .hasUserOperation(sent.hash)
      .catch(() => false);
  if (evidence === 'pending' && (await hasIt())) return false;
  const wording = wordingOf(refusal.error);
  const mayHaveIt = evidence === 'unknown' ? wording !== undefined : wording === 'known' || wording === 'undecided';
  if (evidence === 'replaced' || !mayHaveIt) throw refusal;
  return true;
}

/**
 * Executes calls in one user operation: prepares it, requests sponsorship, shows it to the user, signs it and sends it.
 * If more owners must sign, it is kept as a proposal instead of being sent.
 *
 * @param onBroadcast - Records the operation before it is sent.
 * @returns The sent operation; unclear if the bundler did not respond when it was sent.
 * @throws {ProviderError} 4901 if the account is not on the chain.
 * @throws {UserRejectedError} If the user rejects the request. Nothing was signed or sent then.
 * @throws {ServiceRefusedError} If the bundler or the paymaster service rejects the operation; the message explains
 * why.
 * @throws {OptionalSponsorError} If the site's optional paymaster service does not sponsor it. Nothing was shown then.
 */
export async function sendOperation(
  intents: readonly Intent[],
  { entry, account }: Sender,
  context: CallsContext,
  { origin, isOwnPage, consent, vouchedFor = [], replaced }: Asking,
  onBroadcast: OnBroadcast<SentOperation>,
  deps: SigningDeps,
): Promise<SentOperation> {
  const { configuration, sponsor } = context;
  if (!isOn(entry, configuration.chainId))
    throw new ProviderError('chain-disconnected', `The account is not on ${configuration.chainId}.`);
  const prepared = { ledger: deps.prepared, caller: origin };
  const chain = namingSponsor(operationChain(sponsoredBy(configuration, sponsor), account, prepared), sponsor);
  // Do not record this operation as prepared: it is signed here or never. Otherwise a site could present a rejected
  // operation, with its sponsor, as one that Keystead prepared.
  const built = await buildOperation(intents, account, chain, context, replaced).catch((error: unknown) => {
    // The entry point's codes for a paymaster that does not pay.
    if (sponsor?.isOptional === true && error instanceof ServiceRefusedError && /\bAA3\d/u.test(error.error.message))
      throw new OptionalSponsorError();
    throw error;
  });
  const operation = Object.freeze(built.operation);
  const signaturesNeeded = built.coOwners?.threshold;
  if (signaturesNeeded !== undefined && sponsor?.isOptional === false)
    throw new ProviderError(
      'capability-unsupported',
      `capabilities.paymasterService: must be optional: ${signaturesNeeded} owners of this account must sign, and a sponsorship would expire before that`,
    );
  const signDigest = async (digest: Uint8Array) =>
    signFor(await deps.accounts.get(entry.account.id), deps.entropy, digest);
  const reviewed = await reviewUserOperation({ account, chain, signDigest }, operation, () => Promise.resolve(true), {
    sponsorHost: signaturesNeeded === undefined && sponsor ? new URL(sponsor.url).host : undefined,
    signaturesNeeded,
  });
  const explain = (view: Viewpoint): Explanation =>
    replaced === undefined ? reviewed.explain(view) : explainReplacement(reviewed.explain(view), replaced);
  const explanation = await askToSign(explain, { entry, origin, consent }, { isOwnPage, vouchedFor }, deps);
  const authorization = await authorizationOf(operation, chain, origin, signDigest, deps);
  const signed = { ...operation, ...authorization, signature: await reviewed.sign() };

  const { bundler, node } = servicesOf(configuration);
  // Use our own hash, not the one that the bundler returns.
  const sent: SentOperation = {
    as: 'operation',
    entryPoint: chain.domain.entryPoint,
    nonce: quantityToHex(operation.nonce),
    hash: toHex(reviewed.hash),
    fees: {
      maxFeePerGas: quantityToHex(operation.maxFeePerGas),
      maxPriorityFeePerGas: quantityToHex(operation.maxPriorityFeePerGas),
    },
    ...(isKept(operation.callData) && { callData: operation.callData }),
    ...(sponsor !== undefined &&
      signaturesNeeded === undefined && {
        sponsor: { url: sponsor.url, ...(sponsor.context && { context: sponsor.context }) },
      }),
    ...(built.block !== undefined && { since: quantityToHex(built.block) }),
    ...(signaturesNeeded !== undefined && { proposal: fromUserOperation(signed) }),
  };
  await onBroadcast(sent);
  if (signaturesNeeded !== undefined) {
    await rememberSigning([explanation], entry, deps);
    return sent;
  }
  let isUnclear = false;
  try {
    await bundler().sendUserOperation(signed, chain.domain, { funds: () => fundsFor(node, signed, chain.domain) });
  } catch (error) {
    // Without a response, the operation may have been accepted anyway.
    if (error instanceof ServiceRefusedError) isUnclear = await isUnclearAfter(error, sent, entry, configuration);
    else if (error instanceof ServiceFailedError) isUnclear = true;
    else throw error;
  }
  await rememberSigning([explanation], entry, deps);
  return isUnclear ? { ...sent, isUnclear } : sent;
}
