import { fromHex, toHex } from '../eth/bytes';
import { personalMessageDigest } from '../eth/message';
import { signatureToBytes } from '../eth/secp256k1';
import { explainMessage } from '../explain/message';
import { AddressStruct } from '../wire/address';
import { BytesStruct } from '../wire/hex';
import { MessageSignatureStruct } from '../wire/signature';
import { defineMethod } from './define-method';
import { tuple } from '../wire/struct';

/** `personal_sign` (specification 4.2; EIP-191 version 0x45): [message in hex, address] -> 65 bytes r, s, v. */
export const personalSign = defineMethod({
  name: 'personal_sign',
  paramNames: ['message', 'address'],
  params: tuple([BytesStruct, AddressStruct]),
  result: MessageSignatureStruct,
  read: ([message, address]) => ({ message, address, digest: personalMessageDigest(fromHex(message)) }),
  subject: ({ address }) => ({ addresses: [{ field: 'address', address }] }),
  explain: ({ message }, view) => explainMessage(message, view),
  run: async ({ signDigest }, { digest }) => toHex(signatureToBytes(await signDigest(digest))),
});
