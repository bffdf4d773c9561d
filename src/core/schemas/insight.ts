import { AddressStruct } from './address';
import { BytesStruct, bytesStruct, HexNumberStruct } from '../structs/hex';
import { type AccessList } from '../eth/transaction';
import { accepted, array, exactOptional, nullable, optional, string, type, unknown } from '../structs/struct';

/** A dapp's transaction request as MetaMask describes it. Other fields are ignored. */
export const TransactionInsightStruct = type({
  transaction: type({
    from: AddressStruct,
    to: optional(nullable(AddressStruct)),
    value: optional(HexNumberStruct),
    data: optional(BytesStruct),
    /** The wallet signs authorizations (EIP-7702) only after its confirmation. */
    authorizationList: optional(nullable(array(type({ address: AddressStruct })))),
    /** For the preview alone: read by {@link readTerms}, which leaves out what is malformed. */
    gas: unknown(),
    gasLimit: unknown(),
    gasPrice: unknown(),
    maxFeePerGas: unknown(),
    maxPriorityFeePerGas: unknown(),
    nonce: unknown(),
    accessList: unknown(),
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

const AccessListStruct = array(type({ address: AddressStruct, storageKeys: array(bytesStruct(32)) }));

const quantityIn = (value: unknown): bigint | undefined => (HexNumberStruct.is(value) ? BigInt(value) : undefined);

type Terms = {
  readonly gas: {
    readonly limit?: bigint;
    readonly gasPrice?: bigint;
    readonly maxFeePerGas?: bigint;
    readonly maxPriorityFeePerGas?: bigint;
  };
  readonly nonce?: bigint;
  readonly accessList?: AccessList;
};

/**
 * The gas, fees, nonce and access list of a transaction, as far as the wallet knows them already. What is malformed
 * cannot be signed like that, so it is left out.
 *
 * @param transaction - As MetaMask describes it: older versions say `gasLimit` for `gas`.
 */
export function readTerms(transaction: Readonly<Record<string, unknown>>): Terms {
  const [limit, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce] = [
    transaction.gas ?? transaction.gasLimit,
    transaction.gasPrice,
    transaction.maxFeePerGas,
    transaction.maxPriorityFeePerGas,
    transaction.nonce,
  ].map(quantityIn);
  const isDynamic = maxFeePerGas !== undefined;
  const accessList = accepted(AccessListStruct, transaction.accessList);
  return {
    gas: {
      ...(limit !== undefined && { limit }),
      ...(!isDynamic && gasPrice !== undefined && { gasPrice }),
      ...(isDynamic && { maxFeePerGas }),
      ...(isDynamic && maxPriorityFeePerGas !== undefined && { maxPriorityFeePerGas }),
    },
    ...(nonce !== undefined && { nonce }),
    ...(accessList !== undefined && { accessList }),
  };
}
