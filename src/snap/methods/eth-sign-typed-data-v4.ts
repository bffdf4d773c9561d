import { toHex } from '../../core/eth/bytes';
import { signatureToBytes } from '../../core/eth/secp256k1';
import { typedDataDigest } from '../../core/eth/typed-data';
import { explainTypedData } from '../../core/decode/typed-data';
import { AddressStruct } from '../../core/schemas/address';
import { MessageSignatureStruct } from '../../core/schemas/signature';
import { TypedDataStruct } from '../../core/schemas/typed-data';
import { defineMethod } from './define-method';
import { tuple } from '../../core/schemas/struct';

/** `eth_signTypedData_v4` (specification 4.2, 2.3; EIP-712): [address, typed data] -> 65 bytes r, s, v. */
export const ethSignTypedDataV4 = defineMethod({
  name: 'eth_signTypedData_v4',
  paramNames: ['address', 'typedData'],
  params: tuple([AddressStruct, TypedDataStruct]),
  result: MessageSignatureStruct,
  read: ([address, typedData]) => ({ address, typedData, digest: typedDataDigest(typedData) }),
  subject: ({ address, typedData: { domain } }) => ({
    addresses: [{ field: 'address', address }],
    // The digest exists, so a chain id in the domain is declared and in range.
    ...(Object.hasOwn(domain, 'chainId') && {
      chain: { field: 'typedData.domain.chainId', chainId: BigInt(domain.chainId as string | number) },
    }),
  }),
  explain: ({ typedData }, view) => explainTypedData(typedData, view),
  run: async ({ signDigest }, { digest }) => toHex(signatureToBytes(await signDigest(digest))),
});
