import { explainMessage } from '../../../core/decode/explain/message';
import { fromHex, type Hex, NOT_BYTES, toHex } from '../../../core/eth/bytes';
import { personalMessageDigest } from '../../../core/eth/message';
import { signatureToBytes } from '../../../core/eth/secp256k1';
import { AddressStruct } from '../../../core/schemas/address';
import { BytesStruct } from '../../../core/structs/hex';
import { MessageSignatureStruct } from '../../../core/schemas/signature';
import { nullable, optional, rule, string, tuple } from '../../../core/structs/struct';
import { defineMethod } from './define-method';

const MessageStruct = rule<Hex>(`${NOT_BYTES}. Write text as the hex of its UTF-8 bytes`, (value) =>
  BytesStruct.is(value),
);
/** The rule for an address in the wrong position: some pages send it first, as in `eth_sign`. */
export const ORDER_OF_PARAMETERS = 'the parameters are [message, address], in this order';
const SignerStruct = rule<Hex>(`must be an address: ${ORDER_OF_PARAMETERS}`, (value) => AddressStruct.is(value));

/**
 * `personal_sign` (specification 4.2; EIP-191 version 0x45): [message in hex, address] -> 65 bytes r, s, v. A third
 * `password` parameter (sent by web3.js) is ignored.
 */
export const personalSign = defineMethod({
  name: 'personal_sign',
  paramNames: ['message', 'address', 'password'],
  params: tuple([MessageStruct, SignerStruct, optional(nullable(string()))]),
  result: MessageSignatureStruct,
  account: [1],
  decode: ([message]) => ({ message, digest: personalMessageDigest(fromHex(message)) }),
  message: ({ message }) => message,
  explain: ({ message }, view) => explainMessage(message, view),
  subject: ({ digest }) => toHex(digest),
  sign: ({ digest }, signDigest) => signDigest(digest),
  encode: (signature) => toHex(signatureToBytes(signature)),
});
