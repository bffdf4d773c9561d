import { type Hex } from '../eth/bytes';
import { AddressStruct } from './address';
import { BytesStruct } from './hex';
import { exactOptional, nullable, optional, rule, string, type, unknown } from './struct';

/** A quantity that is only shown: leading zeros, which the wallet may leave, do no harm. */
const ShownQuantityStruct = rule<Hex>(
  'must be a number in hex, at most 2^256-1',
  (value) => typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/u.test(value),
);

/** What the wallet tells of a transaction that a dapp asks for. What else it holds is not looked at. */
export const TransactionInsightStruct = type({
  transaction: type({
    from: AddressStruct,
    to: optional(nullable(AddressStruct)),
    value: optional(ShownQuantityStruct),
    data: optional(BytesStruct),
  }),
  chainId: string(),
  transactionOrigin: exactOptional(nullable(string())),
});

/** What the wallet tells of a message that a dapp wants signed. */
export const SignatureInsightStruct = type({
  signature: type({
    from: AddressStruct,
    signatureMethod: string(),
    data: unknown(),
  }),
  signatureOrigin: exactOptional(nullable(string())),
});
