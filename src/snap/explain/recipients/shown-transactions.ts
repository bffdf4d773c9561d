import { isSameAddress } from '../../../core/eth/address';
import { type Hex, lowerCase, quantityToHex } from '../../../core/eth/bytes';
import { AddressStruct } from '../../../core/schemas/address';
import { type ChainName, ChainNameStruct } from '../../../core/schemas/chain';
import { bytesStruct, Uint256Struct } from '../../../core/structs/hex';
import { array, type Infer, integer, object } from '../../../core/structs/struct';
import { same, type StateStore, StoredList } from '../../wallet/state';
import { callHash, type TransactionCall } from '../../../core/eth/transaction-call';

/** The maximum number of transactions that wait, and of recipients of each. The least recent are dropped first. */
const MAX_SHOWN = 50;
const MAX_RECIPIENTS = 50;

/** A transaction that was shown, and where its network was then. The nonce is the account's next one. */
export const ShownTransactionStruct = object({
  account: AddressStruct,
  chainId: ChainNameStruct,
  call: bytesStruct(32),
  nonce: Uint256Struct,
  block: Uint256Struct,
  recipients: array(AddressStruct),
  /** Milliseconds since 1970. */
  shownAt: integer(0),
});
export type ShownTransaction = Infer<typeof ShownTransactionStruct>;

/** The position of an account and its network: the account's next nonce, and the latest block. */
export type Position = { readonly nonce: bigint; readonly block: bigint };

/** @param shownAt - Milliseconds since 1970. */
export const shownTransaction = (
  { from, ...call }: TransactionCall,
  chainId: bigint,
  { nonce, block }: Position,
  recipients: readonly Hex[],
  shownAt: number,
): ShownTransaction => ({
  account: lowerCase(from),
  chainId: `eip155:${chainId}` as ChainName,
  call: callHash(call),
  nonce: quantityToHex(nonce),
  block: quantityToHex(block),
  recipients: [...new Set(recipients.map(lowerCase))].slice(0, MAX_RECIPIENTS),
  shownAt,
});

const isSameTransaction = (a: ShownTransaction, b: ShownTransaction): boolean =>
  isSameAddress(a.account, b.account) && a.chainId === b.chainId && a.call === b.call;

/** The transactions that were shown and may have been sent since, the most recent first. */
export class ShownTransactionRepository extends StoredList<ShownTransaction> {
  /** @param store - A store at the current schema version; see {@link CheckedState}. */
  constructor(store: StateStore) {
    super(store, 'shown', ShownTransactionStruct);
  }

  /** Adds a transaction. One that is shown again counts as shown now. */
  async add(shown: ShownTransaction): Promise<void> {
    await this.#change((all) => [shown, ...all.filter((other) => !isSameTransaction(other, shown))]);
  }

  /** Removes a transaction, unless it was shown again in between. */
  async remove(shown: ShownTransaction): Promise<void> {
    await this.#change((all) => all.filter((other) => !same(other, shown)));
  }

  async clear(): Promise<void> {
    await this.#change(() => []);
  }

  #change(change: (all: readonly ShownTransaction[]) => readonly ShownTransaction[]): Promise<void> {
    return this.change((before) => {
      const after = change(before).slice(0, MAX_SHOWN);
      return same(after, before) ? before : after;
    });
  }
}
