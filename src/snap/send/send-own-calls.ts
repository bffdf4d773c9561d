import { inOrder } from '../../clients/in-order';
import { type NodeClient } from '../../clients/node';
import { type Draft, estimateGas, suggestedFees, transactionCount } from '../../clients/transactions';
import { explainOwnCalls } from '../../core/decode/explain/transaction';
import { dummyAuthorization } from '../../core/erc4337/dummy-signature';
import { InvalidIntentError } from '../../core/erc4337/invalid-intent';
import { type Intent } from '../../core/erc4337/user-operation';
import { InternalError, InvalidParamsError } from '../../core/errors';
import { isSameAddress, ZERO_ADDRESS } from '../../core/eth/address';
import { authorizationParameter, delegateIn, delegationCode, signedAuthorization } from '../../core/eth/authorization';
import { type Hex } from '../../core/eth/bytes';
import { transactionDigest, type Transaction } from '../../core/eth/transaction';
import { chainIdOf } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { assertIncludable } from '../../core/schemas/transaction';
import { type EoaEntry } from '../account/account';
import { type SigningDeps } from '../account/deps';
import { signFor } from '../account/keys';
import { type Requester, signAsEoa } from '../account/sign-request';
import { type SigningRequest } from '../account/methods/define-method';
import { type SmartAccount, changedMeanwhile } from '../network/operation-chain';
import { servicesOf } from '../network/services';
import { consentFor, type Site } from '../sites/site';
import { signAuthorization } from '../account/signed/sign-and-keep';
import { type BatchDeps } from './deps';
import { nodeAnswer } from './node-answer';
import { type OnBroadcast } from './send-recorded';
import { broadcast, type SentTransactions, toSigned, type SignedTransaction, withMargin } from './send-transactions';

/** The maximum cost of one authorization (PER_EMPTY_ACCOUNT_COST of EIP-7702), on networks without EIP-8037. */
const AUTHORIZATION_GAS = 25_000n;

/** A transaction of an account to itself, or of another account to it. */
type OwnCalls = {
  readonly data: Hex;
  /** The code that the account has to have before: of its delegate, or none. */
  readonly codeBefore: Hex | undefined;
  /** The contract whose code the account runs from then on; the zero address for none, undefined if nothing changes. */
  readonly delegate: Hex | undefined;
};

/**
 * The gas limit of own calls, which run with the code that the account has by then. What the authorization costs is the
 * network's to say (EIP-7702, EIP-8037), so the node estimates with one that is not signed: it is charged, and not
 * applied. Some nodes leave it out of the estimate, so the estimate without it counts too, with what it costs at most.
 *
 * @throws {NodeAnswerError} If a call would fail.
 */
export async function gasFor(
  { data, delegate }: Pick<OwnCalls, 'data' | 'delegate'>,
  from: Hex,
  { chainId, address }: { readonly chainId: bigint; readonly address: Hex },
  node: NodeClient,
): Promise<bigint> {
  const draft = { from, to: address, value: '0x0', data } as const;
  const estimate = (more: Partial<Draft>, overrides?: Parameters<typeof estimateGas>[2]): Promise<bigint> =>
    estimateGas(node, { ...draft, ...more }, overrides).catch((error: unknown) => {
      throw nodeAnswer(error);
    });
  if (delegate === undefined) return withMargin(await estimate({}));
  const overrides = { [address]: { code: delegate === ZERO_ADDRESS ? '0x' : delegationCode(delegate) } as const };
  const unsigned = dummyAuthorization({ chainId, address: delegate, nonce: 0n });
  const [without, charged] = await Promise.all([
    estimate({}, overrides),
    estimate({ authorizationList: [authorizationParameter(unsigned)] }, overrides).catch(() => 0n),
  ]);
  const least = without + AUTHORIZATION_GAS;
  return withMargin(charged > least ? charged : least);
}

/** The next nonce of an account, and the block that it was read at. */
type Nonce = readonly [account: Hex, next: bigint, block: 'pending' | 'latest'];

/** @throws {ServiceFailedError} If an account was used, or the code was changed, since the user was asked. */
async function assertUnchanged(
  { codeBefore }: OwnCalls,
  address: Hex,
  nonces: readonly Nonce[],
  node: NodeClient,
): Promise<void> {
  const [code, ...next] = await Promise.all([
    node.code(address),
    ...nonces.map(([account, , block]) => transactionCount(node, account, block)),
  ]);
  const isSame = codeBefore === undefined ? code === '0x' : isSameAddress(delegateIn(code) ?? '', codeBefore);
  if (!isSame || nonces.some(([, nonce], at) => nonce !== next[at])) throw changedMeanwhile();
}

/**
 * Signs a transaction of an account to itself, and first the authorization that it carries, after the user agreed to
 * both. The sender's nonce goes up before its authorization is applied, so that has the next one (EIP-7702).
 *
 * @param payer - The account that sends it instead. The authorization then has the account's own next nonce.
 */
export async function signOwnCalls(
  calls: OwnCalls,
  entry: EoaEntry,
  configuration: ChainConfiguration,
  requester: Pick<Requester, 'origin' | 'consent'>,
  deps: SigningDeps,
  payer = entry,
) {
  const { node, hints } = servicesOf(configuration);
  const { address } = entry.account;
  const { address: from } = payer.account;
  const chainId = chainIdOf(configuration.chainId);
  const [, nonce, fees, balance] = await inOrder([
    node.assertChain(chainId),
    transactionCount(node, from, 'pending'),
    suggestedFees(node),
    hints.balance(from).catch(() => undefined),
  ]);
  const isOwn = isSameAddress(from, address);
  // A transaction that the account cannot pay for may be stuck in the pool, so its pending nonce may never come.
  const next = isOwn ? nonce + 1n : await transactionCount(node, address, 'latest');
  const of = { authority: address, nonce: next };
  const { data, delegate } = calls;
  const prices = 'gasPrice' in fees ? { maxFeePerGas: fees.gasPrice, maxPriorityFeePerGas: fees.gasPrice } : fees;
  const common = {
    chainId,
    nonce,
    to: address,
    value: 0n,
    data,
    gasLimit: await gasFor(calls, from, { chainId, address }, node),
  };
  const terms = { ...common, ...prices, accessList: [] };
  const authorization = delegate === undefined ? undefined : { chainId, address: delegate, nonce: of.nonce };
  const toTransaction = (sign: typeof dummyAuthorization): Transaction =>
    authorization === undefined
      ? { ...terms, type: 'eip1559' }
      : { ...terms, type: 'eip7702', authorizationList: [sign(authorization)] };
  const draft = toTransaction(dummyAuthorization);
  assertIncludable(draft);

  const request: SigningRequest<SignedTransaction> = {
    chain: { field: 'chainId', chainId },
    delegates: delegate === undefined ? [] : [{ field: 'delegate', address: delegate }],
    explain: (view) => explainOwnCalls(draft, delegate, view, of),
    sign: async (signDigest) => {
      const nonces: Nonce[] = [[from, nonce, 'pending'], ...(isOwn ? [] : [[address, next, 'latest'] as const])];
      await assertUnchanged(calls, address, nonces, node);
      const signature =
        authorization &&
        (await signAuthorization(
          authorization,
          { account: address, origin: requester.origin },
          async (digest) => signFor(await deps.accounts.get(entry.account.id), deps.entropy, digest),
          deps,
        ));
      const tx = toTransaction((one) => {
        if (signature === undefined) throw new InternalError('An authorization has no signature. Nothing was sent.');
        return signedAuthorization(one, signature);
      });
      return toSigned(tx, await signDigest(transactionDigest(tx)));
    },
  };
  const inUse = { entry: payer, withKey: () => deps.accounts.get(payer.account.id) };
  return signAsEoa(request, inUse, { ...requester, chainId, balance }, deps);
}

/** The way in which the calls are made, and the names of their members in the site's parameters. */
type Execution = {
  readonly account: SmartAccount;
  readonly isUpgraded: boolean;
  readonly configuration: ChainConfiguration;
  readonly fieldOf: (index: number, member: string) => string;
};

/**
 * Makes calls in one transaction of an externally owned account to itself, without a bundler. If the account has no
 * delegate yet, the transaction has type 4 and delegates it first.
 *
 * @param onBroadcast - Records the transaction before it is sent.
 * @throws {UserRejectedError} If the user rejects the request. Nothing was signed or sent then.
 * @throws {NodeAnswerError} If a call would fail, or the node rejects the transaction.
 */
export async function sendOwnCalls(
  intents: readonly Intent[],
  entry: EoaEntry,
  { account, isUpgraded, configuration, fieldOf }: Execution,
  site: Site,
  onBroadcast: OnBroadcast<SentTransactions>,
  deps: SigningDeps & Pick<BatchDeps, 'consent' | 'permissions'>,
): Promise<SentTransactions> {
  const { kind, delegate } = account;
  let data: Hex;
  try {
    data = kind.encodeCalls(intents);
  } catch (error) {
    if (error instanceof InvalidIntentError)
      throw new InvalidParamsError(fieldOf(error.index, error.member), error.rule);
    throw error;
  }
  const calls = { data, codeBefore: isUpgraded ? delegate : undefined, delegate: isUpgraded ? undefined : delegate };
  const requester = { origin: site.origin, consent: consentFor(site, entry, deps) };
  const { signed, explanation } = await signOwnCalls(calls, entry, configuration, requester, deps);
  const { node } = servicesOf(configuration);
  return broadcast([signed], [explanation], entry, node, onBroadcast, deps);
}
