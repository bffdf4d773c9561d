import { AddressStruct } from './address';
import { BytesStruct, HexNumberStruct } from './hex';
import { exactOptional, nullable, optional, string, type, unknown } from './struct';

/** What the wallet tells of a transaction that a dapp asks for. What else it holds is not looked at. */
export const TransactionInsightStruct = type({
  transaction: type({
    from: AddressStruct,
    to: optional(nullable(AddressStruct)),
    value: optional(HexNumberStruct),
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
