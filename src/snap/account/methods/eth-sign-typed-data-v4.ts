import { explainTypedData } from '../../../core/decode/explain/typed-data';
import { toHex } from '../../../core/eth/bytes';
import { signatureToBytes } from '../../../core/eth/secp256k1';
import { typedDataDigest } from '../../../core/eth/typed-data';
import { AddressStruct } from '../../../core/schemas/address';
import { MessageSignatureStruct } from '../../../core/schemas/signature';
import { tuple } from '../../../core/structs/struct';
import { TypedDataStruct } from '../../../core/schemas/typed-data';
import { defineMethod } from './define-method';

/** `eth_signTypedData_v4` (specification 4.2, 2.3; EIP-712): [address, typed data] -> 65 bytes r, s, v. */
export const ethSignTypedDataV4 = defineMethod({
  name: 'eth_signTypedData_v4',
  paramNames: ['address', 'typedData'],
  params: tuple([AddressStruct, TypedDataStruct]),
  result: MessageSignatureStruct,
  account: [0],
  decode: ([, typedData]) => ({ typedData, digest: typedDataDigest(typedData) }),
  chain: ({ typedData: { domain } }) =>
    // The digest was computed, so a chain id in the domain is declared and in range.
    Object.hasOwn(domain, 'chainId')
      ? { field: 'typedData.domain.chainId', chainId: BigInt(domain.chainId as string | number) }
      : undefined,
  isForContracts: ({ typedData: { domain } }) => Object.hasOwn(domain, 'verifyingContract'),
  typed: ({ typedData, digest }) => ({ data: typedData, hash: toHex(digest) }),
  explain: ({ typedData }, view) => explainTypedData(typedData, view),
  subject: ({ digest }) => toHex(digest),
  sign: ({ digest }, signDigest) => signDigest(digest),
  encode: (signature) => toHex(signatureToBytes(signature)),
});
