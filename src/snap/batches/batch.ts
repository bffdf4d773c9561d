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

/** The codes of EIP-5792: pending, confirmed, never included, reverted, partly reverted. */
const BATCH_STATUSES = [100, 200, 400, 500, 600] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** Nothing answered when the last of it was sent: it may be out, or not. It is looked up like what is. */
const isUnclear = exactOptional(boolean());

/** Where calls went: into one user operation, or into transactions one after the other. */
const SentStruct = union([
  object({
    as: literal('operation'),
    hash: bytesStruct(32),
    entryPoint: AddressStruct,
    nonce: Uint256Struct,
    isUnclear,
  }),
  object({
    as: literal('transactions'),
    items: array(object({ hash: bytesStruct(32), nonce: Uint256Struct })),
    /** Calls that were agreed to, but that the node did not take after it had taken those before them. */
    unsent: integer(),
    isUnclear,
  }),
]);

/** A batch of calls (EIP-5792) that the person agreed to and that was sent; a transaction is a batch of one. */
export const BatchStruct = object({
  /** Given by the dapp, or made here; unique for the origin. */
  id: string(),
  origin: string(),
  account: AddressStruct,
  chainId: ChainNameStruct,
  /** Milliseconds since 1970. */
  at: integer(),
  calls: integer(),
  atomic: boolean(),
  sent: SentStruct,
  status: enums(BATCH_STATUSES),
  /** Kept once nothing changes any more, unless they are too large to be kept. */
  receipts: exactOptional(array(CallsReceiptStruct)),
});
export type Batch = Infer<typeof BatchStruct>;
