import { CALLS_STATUSES, type Progress, progressOf, REMARKS } from '../../core/calls/progress';
import { REPLACEMENTS } from '../../core/calls/replacement';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { AddressStruct } from '../../core/schemas/address';
import { ChainNameStruct } from '../../core/schemas/chain';
import { BytesStruct, bytesStruct, Uint256Struct } from '../../core/structs/hex';
import { CallsReceiptStruct } from '../../core/schemas/receipt';
import {
  array,
  boolean,
  enums,
  exactOptional,
  type Infer,
  integer,
  literal,
  nullable,
  object,
  string,
  union,
} from '../../core/structs/struct';
import { ServiceContextStruct } from '../../core/schemas/service-context';
import { AccessListStruct } from '../../core/schemas/transaction';
import { UserOperationStruct } from '../../core/schemas/user-operation';

/**
 * Whether the service did not respond when the last part was sent, so that it may or may not be broadcast. Its status
 * is looked up in either case.
 */
const isUnclear = exactOptional(boolean());

const FeesStruct = object({ maxFeePerGas: Uint256Struct, maxPriorityFeePerGas: Uint256Struct });

/** What was sent with the same nonce and a higher fee. */
const ReplacementStruct = object({ hash: bytesStruct(32), how: enums(REPLACEMENTS), fees: FeesStruct });
export type StoredReplacement = Infer<typeof ReplacementStruct>;

/** Kept while it is pending, so that it can be replaced. Neither is there for what an earlier version sent. */
const replaceable = { fees: exactOptional(FeesStruct), replacements: exactOptional(array(ReplacementStruct)) };

const TransactionStruct = object({
  hash: bytesStruct(32),
  nonce: Uint256Struct,
  /** Absent if it is too long to keep, or carries an authorization (EIP-7702). */
  call: exactOptional(
    object({
      to: nullable(AddressStruct),
      value: Uint256Struct,
      data: BytesStruct,
      accessList: exactOptional(AccessListStruct),
    }),
  ),
  ...replaceable,
});
export type StoredTransaction = Infer<typeof TransactionStruct>;

/** The form in which calls were sent: one user operation, or sequential transactions. */
const SentStruct = union([
  object({
    as: literal('operation'),
    hash: bytesStruct(32),
    entryPoint: AddressStruct,
    nonce: Uint256Struct,
    callData: exactOptional(BytesStruct),
    /** The site's paymaster service, if that pays. */
    sponsor: exactOptional(object({ url: string(), context: exactOptional(ServiceContextStruct) })),
    ...replaceable,
    /** The latest block when it was sent. */
    since: exactOptional(Uint256Struct),
    /** With the signature of the account's own key, while other owners have to sign before it can be sent. */
    proposal: exactOptional(UserOperationStruct),
    isUnclear,
  }),
  object({
    as: literal('transactions'),
    items: array(TransactionStruct),
    /**
     * The number of approved calls that were not sent, because the node rejected one of them after accepting earlier
     * ones.
     */
    unsent: integer(),
    isUnclear,
  }),
]);

/** A batch of calls (EIP-5792) that the user approved and that was sent. A single transaction is a batch of one. */
export const BatchStruct = object({
  /** Chosen by the dapp or generated here; unique per origin. */
  id: string(),
  origin: string(),
  account: AddressStruct,
  chainId: ChainNameStruct,
  /** Milliseconds since 1970. */
  at: integer(),
  calls: integer(),
  atomic: boolean(),
  sent: SentStruct,
  status: enums(CALLS_STATUSES),
  /**
   * The time at which a final status was found, in milliseconds since 1970; when they were sent, if an earlier version
   * found it.
   */
  finalSince: exactOptional(integer()),
  remark: exactOptional(enums(REMARKS)),
  /** While it is pending: whether the network, or the bundler, had it when it was asked last. */
  isSeen: exactOptional(boolean()),
  /** Stored once the status is final, unless they are too large. */
  receipts: exactOptional(array(CallsReceiptStruct)),
});
export type Batch = Infer<typeof BatchStruct>;

/** @returns Whether other owners of the account have to sign before it can be sent. */
export const isWaiting = ({ status, sent }: Pick<Batch, 'status' | 'sent'>): boolean =>
  status === 100 && sent.as === 'operation' && sent.proposal !== undefined;

/** @returns How far a batch has come, in words. */
export const progressOfBatch = ({
  isSeen = false,
  ...batch
}: Pick<Batch, 'status' | 'sent' | 'remark' | 'isSeen'>): Progress =>
  progressOf({
    status: batch.status,
    ...(batch.remark && { remark: batch.remark }),
    isUnclear: batch.sent.isUnclear === true,
    isSeen,
    isWaiting: isWaiting(batch),
  });

/** Longer call data is not kept: such calls can be cancelled, and not sped up. */
const MAX_KEPT_DATA = 16_384;

/** @returns Whether call data is short enough to be kept while it is pending. */
export const isKept = (data: string): boolean => data.length <= MAX_KEPT_DATA;

type Sent = StoredTransaction | (Batch['sent'] & { readonly as: 'operation' });

/** @returns What was sent under a hash, first or as a replacement; undefined if it is not of this batch. */
export function sentAs({ sent }: Pick<Batch, 'sent'>, hash: string): Sent | undefined {
  const all: readonly Sent[] = sent.as === 'operation' ? [sent] : sent.items;
  const is = (one: { readonly hash: string }): boolean => one.hash.toLowerCase() === hash.toLowerCase();
  return all.find((one) => is(one) || (one.replacements ?? []).some(is));
}

/** @returns The hashes of all that was sent: first, and as replacements. */
export const allHashes = ({ sent }: Pick<Batch, 'sent'>): readonly Hex[] =>
  (sent.as === 'operation' ? [sent] : sent.items).flatMap(({ hash, replacements = [] }) => [
    hash,
    ...replacements.map((one) => one.hash),
  ]);

/** @returns The way in which calls were sent, with a change to each transaction, or to the operation. */
export const withEach = (sent: Batch['sent'], change: <Each extends Sent>(each: Each) => Each): Batch['sent'] =>
  sent.as === 'operation' ? change(sent) : { ...sent, items: sent.items.map((item) => change(item)) };

/**
 * The same bytes may be sent under several ids, and a replacement is recorded with one of them.
 *
 * @param all - Every batch, also of other sites.
 * @returns The way in which calls were sent, with all that replaced them.
 */
export const withReplacements = (
  { chainId, sent }: Pick<Batch, 'chainId' | 'sent'>,
  all: readonly Batch[],
): Batch['sent'] =>
  withEach(sent, (each) => {
    const known = new Map(
      all
        .filter((other) => other.chainId === chainId)
        .flatMap((other) => sentAs(other, each.hash)?.replacements ?? [])
        .map((one) => [one.hash, one]),
    );
    return known.size === 0 ? each : { ...each, replacements: [...known.values()] };
  });

/** @returns The hash that the network included, or else the one that was sent last. */
export function latestHash(
  { hash, replacements = [] }: Sent,
  receipts: readonly { readonly transactionHash: Hex }[],
): Hex {
  const all = [hash, ...replacements.map((one) => one.hash)];
  const included = all.find((one) => receipts.some(({ transactionHash }) => isSameAddress(transactionHash, one)));
  return included ?? all.at(-1) ?? hash;
}

/** @returns The hashes under which what is pending can be sped up or cancelled. */
export function replaceableHashes(batch: Batch): readonly Hex[] {
  if (batch.status !== 100 || isWaiting(batch)) return [];
  const all: readonly Sent[] = batch.sent.as === 'operation' ? [batch.sent] : batch.sent.items;
  return all.filter(({ fees }) => fees !== undefined).map((one) => latestHash(one, []));
}
