import { toHex } from '../eth/bytes';
import { signatureToBytes } from '../eth/secp256k1';
import { typedDataDigest } from '../eth/typed-data';
import { explainTypedData } from '../explain/typed-data';
import { AddressStruct } from '../wire/address';
import { MessageSignatureStruct } from '../wire/signature';
import { TypedDataStruct } from '../wire/typed-data';
import { defineMethod } from './define-method';
import { tuple } from '../wire/struct';

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
