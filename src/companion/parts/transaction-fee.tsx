import { type VNode } from 'preact';

import { type AnyCall, feeOf } from '../model/any-wallet';
import { formatAmount } from '../model/units';
import { useLookup } from '../model/use-lookup';
import { type Connected } from './choose-wallet';

/** Says that a button sends a transaction, and about how much its network fee is, if the wallet can tell. */
export function TransactionFee({
  connected: { wallet, account },
  call,
  symbol,
}: {
  readonly connected: Connected;
  readonly call: AnyCall;
  readonly symbol: string;
}): VNode {
  const { value } = useLookup(() => feeOf(wallet, account, call), [account, call.data]);
  return (
    <p class="hint">
      This is a transaction. Its network fee
      {value === undefined ? '' : `, about ${formatAmount(value)} ${symbol} now,`} is yours to pay, unless your wallet
      says that it is sponsored.
    </p>
  );
}
