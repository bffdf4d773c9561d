import { CALLS_STATUSES, type Progress, progressOf, REMARKS } from '../../core/calls/progress';
import { AddressStruct } from '../../core/schemas/address';
import { ChainNameStruct } from '../../core/schemas/chain';
import { bytesStruct, Uint256Struct } from '../../core/schemas/hex';
import { CallsReceiptStruct } from '../../core/schemas/receipt';
import {
  array,
  boolean,
  enums,
  exactOptional,
  type Infer,
  integer,
  literal,
  object,
  string,
  union,
} from '../../core/schemas/struct';
import { UserOperationStruct } from '../../core/schemas/user-operation';

/**
 * Whether the service did not respond when the last part was sent, so that it may or may not be broadcast. Its status
 * is looked up in either case.
 */
const isUnclear = exactOptional(boolean());

/** The form in which calls were sent: one user operation, or sequential transactions. */
const SentStruct = union([
  object({
    as: literal('operation'),
    hash: bytesStruct(32),
    entryPoint: AddressStruct,
    nonce: Uint256Struct,
    /** The latest block when it was sent. */
    since: exactOptional(Uint256Struct),
    /** With the signature of the account's own key, while other owners have to sign before it can be sent. */
    proposal: exactOptional(UserOperationStruct),
    isUnclear,
  }),
  object({
    as: literal('transactions'),
    items: array(object({ hash: bytesStruct(32), nonce: Uint256Struct })),
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
