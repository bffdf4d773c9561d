import { type SigningDeps } from '../account/deps';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { servicesOf } from '../network/services';
import { inOrder } from '../../clients/in-order';
import { type NodeClient } from '../../clients/node';
import { estimateGas, type Fees, sendTransaction, suggestedFees, transactionCount } from '../../clients/transactions';
import { InvalidParamsError, ServiceRefusedError } from '../../core/errors';
import { type Intent, withGasMargin } from '../../core/erc4337/user-operation';
import { type Hex, quantityToHex, toHex } from '../../core/eth/bytes';
import { MAX_EXECUTION_GAS, saysOverCap } from '../../core/eth/gas';
import { type Signature } from '../../core/eth/secp256k1';
import { signedTransaction, type Transaction } from '../../core/eth/transaction';
import { explainReplacement, type Replaced } from '../../core/decode/explain/replacement';
import { mostItTakes } from '../../core/decode/explain/transaction';
import { type Explanation } from '../../core/decode/explanation';
import { type EoaEntry } from '../account/account';
import { rememberSigning } from '../account/ask-to-sign';
import { signAsEoa } from '../account/sign-request';
import { ethSignTransaction } from '../account/methods/eth-sign-transaction';
import { chainIdOf } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { assertIncludable } from '../../core/schemas/transaction';
import { type DappTransaction } from '../../core/schemas/dapp-transaction';
import { type Batch, isKept, type StoredTransaction } from './batch';
import { type BatchDeps } from './deps';
import { type OnBroadcast } from './send-recorded';
import { type Consent } from '../wallet/dialogs';
import { nodeAnswer } from './node-answer';

/** Adds a margin to a node's estimate, but does not exceed what a transaction may have because of it (EIP-7825). */
export function withMargin(gas: bigint): bigint {
  const more = withGasMargin(gas);
  return gas <= MAX_EXECUTION_GAS && more > MAX_EXECUTION_GAS ? MAX_EXECUTION_GAS : more;
}

/** @returns The estimate with as much of the margin as the account can pay, so that it can send all that it has. */
function affordableGas(estimate: bigint, { value }: CallWithTerms, fees: Fees, balance: bigint | undefined): bigint {
  const limit = withMargin(estimate);
  const price = 'gasPrice' in fees ? fees.gasPrice : fees.maxFeePerGas;
  if (balance === undefined || price === 0n) return limit;
  const most = (balance - value) / price;
  return most >= estimate && most < limit ? most : limit;
}

/** A call of a site, with the terms of the transaction that the site sets itself. */
type CallWithTerms = Intent & Partial<Terms>;
type Terms = Omit<DappTransaction, keyof Intent | 'from' | 'chainId'>;

/** Without a base fee, an EIP-1559 fee given by the dapp must not be ignored. */
function assertNoCap(call: CallWithTerms): void {
  const fee = (['maxFeePerGas', 'maxPriorityFeePerGas'] as const).find((name) => call[name] !== undefined);
  const field = fee ?? (call.type === 'eip1559' ? 'type' : undefined);
  if (field !== undefined)
    throw new InvalidParamsError(
      `transaction.${field}`,
      'must be omitted: this network has no base fee; set gasPrice instead',
    );
}

/** The fee fields for the type of the transaction. Omitted fields are filled in. */
async function feeFields(call: CallWithTerms, suggested: () => Promise<Fees>) {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, type, accessList = [] } = call;
  const dynamic = (most: bigint, tip: bigint) =>
    ({ type: 'eip1559', maxFeePerGas: most, maxPriorityFeePerGas: tip, accessList }) as const;
  const isLegacy = type === 'legacy' || (type === undefined && call.accessList === undefined);
  const priced = (price: bigint) =>
    isLegacy
      ? ({ type: 'legacy', gasPrice: price } as const)
      : ({ type: 'eip2930', gasPrice: price, accessList } as const);

  if (maxFeePerGas !== undefined && maxPriorityFeePerGas !== undefined)
    return dynamic(maxFeePerGas, maxPriorityFeePerGas);
  if (gasPrice !== undefined) return priced(gasPrice);
  const fees = await suggested();
  if ('gasPrice' in fees) {
    assertNoCap(call);
    return priced(fees.gasPrice);
  }
  if (type === 'legacy' || type === 'eip2930') return priced(fees.maxFeePerGas);
  const tip = maxPriorityFeePerGas ?? fees.maxPriorityFeePerGas;
  const most = maxFeePerGas ?? fees.maxFeePerGas - fees.maxPriorityFeePerGas + tip;
  return dynamic(most, tip < most ? tip : most);
}

async function estimateFor(call: CallWithTerms, from: Hex, position: number, node: NodeClient): Promise<bigint> {
  const { to, value, data, accessList } = call;
  const draft = { from, ...(to && { to }), value: quantityToHex(value), data, ...(accessList && { accessList }) };
  try {
    return await estimateGas(node, draft);
  } catch (error) {
    if (position > 0 && error instanceof ServiceRefusedError && !saysOverCap(error.error.message))
      throw new ServiceRefusedError(
        `calls[${position}]: would fail in the current state. If it depends on the calls before it, send those first, or use a smart account, which executes all calls at once. ${error.message}`,
        error.error,
      );
    throw nodeAnswer(error, 'The transaction would fail, so it was not sent. The node says: ');
  }
}

/**
 * The complete transaction.
 *
 * @throws {InvalidParamsError} If it could never be included; names the field.
 */
async function filled(
  call: CallWithTerms,
  slot: { from: Hex; nonce: bigint; position: number; balance: bigint | undefined },
  chainId: bigint,
  { node, suggested }: { node: NodeClient; suggested: () => Promise<Fees> },
): Promise<Transaction> {
  const { to, value, data } = call;
  const estimate = call.gasLimit ?? (await estimateFor(call, slot.from, slot.position, node));
  const fees = await feeFields(call, suggested);
  const gasLimit = call.gasLimit ?? affordableGas(estimate, call, fees, slot.balance);
  const tx = { to, value, data, chainId, nonce: call.nonce ?? slot.nonce, gasLimit, ...fees };
  assertIncludable(tx);
  return tx;
}

/** Who asks, how the user is asked on its behalf, and what is replaced, if anything is. */
type Asking = { readonly origin: string; readonly consent: Consent; readonly replaced?: Replaced };

export type SentTransactions = Batch['sent'] & { as: 'transactions' };

/** A signed transaction. */
export type SignedTransaction = {
  readonly raw: Hex;
  /** As it is recorded. */
  readonly item: StoredTransaction;
  /** Whether its nonce was free when it was signed. */
  readonly isNext: boolean;
};

/** @returns A transaction with its signature, and its hash. */
export function toSigned(tx: Transaction, signature: Signature, isNext = true): SignedTransaction {
  const raw = signedTransaction(tx, signature);
  const { to, value, data, nonce } = tx;
  const { maxFeePerGas, maxPriorityFeePerGas } =
    'maxFeePerGas' in tx ? tx : { maxFeePerGas: tx.gasPrice, maxPriorityFeePerGas: tx.gasPrice };
  const list = 'accessList' in tx ? tx.accessList : [];
  const accessList = list.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] }));
  const listed = list.length > 0 ? { accessList } : {};
  const item = {
    hash: toHex(keccak256(raw)),
    nonce: quantityToHex(nonce),
    fees: { maxFeePerGas: quantityToHex(maxFeePerGas), maxPriorityFeePerGas: quantityToHex(maxPriorityFeePerGas) },
    ...(tx.type !== 'eip7702' &&
      isKept(data + JSON.stringify(listed)) && { call: { to, value: quantityToHex(value), data, ...listed } }),
  };
  return { raw: toHex(raw), item, isNext };
}

/**
 * Sends signed transactions in order, until the node rejects one, or it is unclear whether it has one. See
 * {@link sendTransactions}.
 */
export async function broadcast(
  signed: readonly SignedTransaction[],
  agreed: readonly Explanation[],
  entry: EoaEntry,
  node: NodeClient,
  onBroadcast: OnBroadcast<SentTransactions>,
  deps: Pick<BatchDeps, 'recipients'>,
): Promise<SentTransactions> {
  await onBroadcast({ as: 'transactions', items: signed.map(({ item }) => item), unsent: 0 });
  const items: StoredTransaction[] = [];
  let isUnclear = false;
  for (const { raw, item, isNext } of signed) {
    try {
      isUnclear = !(await sendTransaction(node, raw, item.hash, isNext));
    } catch (error) {
      if (items.length === 0) throw nodeAnswer(error);
      break;
    }
    items.push(item);
    if (isUnclear) break;
  }
  await rememberSigning(agreed.slice(0, items.length), entry, deps);
  return { as: 'transactions', items, unsent: signed.length - items.length, ...(isUnclear && { isUnclear }) };
}

/**
 * Sends transactions of an externally owned account in sequence through the chain's node. All are first shown and
 * signed; none is sent unless the user approves all.
 *
 * @param onBroadcast - Records the transactions before the first is sent.
 * @returns The sent transactions. If the node rejects one after accepting others, the rest are not sent. If the node
 * does not respond to one, it may have been broadcast: it counts as sent, its status is unclear until it is looked up,
 * and nothing is sent after it.
 * @throws {UserRejectedError} If the user rejects one. None was sent then.
 * @throws {ServiceRefusedError} If the node rejects the first one.
 */
export async function sendTransactions(
  calls: readonly CallWithTerms[],
  entry: EoaEntry,
  configuration: ChainConfiguration,
  { origin, consent, replaced }: Asking,
  onBroadcast: OnBroadcast<SentTransactions>,
  deps: SigningDeps,
): Promise<SentTransactions> {
  const { node, hints } = servicesOf(configuration);
  const chainId = chainIdOf(configuration.chainId);
  const { address } = entry.account;
  const [, first, balance] = await inOrder([
    node.assertChain(chainId),
    transactionCount(node, address, 'pending'),
    // Used only for a warning.
    hints.balance(address).catch(() => undefined),
  ]);
  let left = balance;
  let fees: Promise<Fees> | undefined;
  const suggested = () => (fees ??= suggestedFees(node));

  const signed: SignedTransaction[] = [];
  const agreed: Explanation[] = [];
  for (const [position, call] of calls.entries()) {
    const slot = { from: address, nonce: first + BigInt(position), position, balance: left };
    const tx = await filled(call, slot, chainId, { node, suggested });
    const request = ethSignTransaction.request(tx);
    const { signed: signature, explanation } = await signAsEoa(
      replaced === undefined
        ? request
        : { ...request, explain: (view) => explainReplacement(request.explain(view), replaced) },
      { entry, withKey: () => deps.accounts.get(entry.account.id) },
      { origin, chainId, balance: left, consent },
      deps,
    );
    left = left && left - mostItTakes(tx);
    signed.push(toSigned(tx, signature, tx.nonce >= first));
    agreed.push(explanation);
  }

  return broadcast(signed, agreed, entry, node, onBroadcast, deps);
}
