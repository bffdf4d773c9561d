import { AddressStruct } from './address';
import { BytesStruct, HexNumberStruct } from './hex';
import { array, exactOptional, nullable, optional, string, type, unknown } from './struct';

/** A dapp's transaction request as MetaMask describes it. Other fields are ignored. */
export const TransactionInsightStruct = type({
  transaction: type({
    from: AddressStruct,
    to: optional(nullable(AddressStruct)),
    value: optional(HexNumberStruct),
    data: optional(BytesStruct),
    /** The wallet signs authorizations (EIP-7702) only after its confirmation. */
    authorizationList: optional(nullable(array(type({ address: AddressStruct })))),
  }),
  chainId: string(),
  transactionOrigin: exactOptional(nullable(string())),
});

/** A dapp's signature request as MetaMask describes it. */
export const SignatureInsightStruct = type({
  signature: type({
    from: AddressStruct,
    signatureMethod: string(),
    data: unknown(),
  }),
  signatureOrigin: exactOptional(nullable(string())),
});
