import { AddressStruct } from './address';
import { BytesStruct, HexNumberStruct } from './hex';
import { array, exactOptional, nullable, optional, string, type, unknown } from './struct';

/**
 * A dapp's transaction request as MetaMask describes it. Other fields are ignored.
 *
 * @example
 * ```ts
 * const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
 * const transaction = { from, to: null, value: '0x0', data: '0x6080' };
 * const transactionOrigin = 'https://app.example.org';
 * TransactionInsightStruct.is({ transaction, chainId: 'eip155:1', transactionOrigin }); // => true
 * TransactionInsightStruct.is({ transaction: { to: from }, chainId: 'eip155:1' }); // => false
 * ```
 */
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

/**
 * A dapp's signature request as MetaMask describes it.
 *
 * @example
 * ```ts
 * const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
 * const signature = { from, signatureMethod: 'personal_sign', data: '0x68656c6c6f' };
 * SignatureInsightStruct.is({ signature, signatureOrigin: 'https://app.example.org' }); // => true
 * SignatureInsightStruct.is({ signature: { from } }); // => false
 * ```
 */
export const SignatureInsightStruct = type({
  signature: type({
    from: AddressStruct,
    signatureMethod: string(),
    data: unknown(),
  }),
  signatureOrigin: exactOptional(nullable(string())),
});
