import { type Hex } from 'viem';

import { isSameAddress } from '../../core/eth/address';
import { type Payment } from '../../core/ledger/history';
import { callsIn, operationCallsIn } from '../../core/ledger/operation-calls';
import { type IncludedOperation } from './inclusion';

/** What a node says of a transaction; `to` is null for a new contract. */
type Transaction = { readonly from: Hex; readonly to: Hex | null; readonly value: bigint; readonly input: Hex };

/**
 * @param operations - The account's in it.
 * @returns What an account itself sent in a transaction: its own, a batch of it that it sent to itself (EIP-7702), or
 * user operations, if a bundler called the entry point directly and Keystead knows the kind of the account.
 */
export function paymentsIn(
  { from, to, value, input }: Transaction,
  account: Hex,
  operations: readonly IncludedOperation[],
): readonly Payment[] {
  const nonces = operations.filter(({ hasSucceeded }) => hasSucceeded).map(({ nonce }) => nonce);
  const calls = nonces.length > 0 ? operationCallsIn(input, account, nonces) : [];
  const own =
    !isSameAddress(from, account) || to === null ? [] : isSameAddress(to, account) ? callsIn(input) : [{ to, value }];
  return [...calls, ...own].map((call) => ({ to: call.to, value: call.value }));
}
