import { fromHex, toHex } from '../../core/eth/bytes';
import { personalMessageDigest } from '../../core/eth/message';
import { signatureToBytes } from '../../core/eth/secp256k1';
import { explainMessage } from '../../core/decode/message';
import { AddressStruct } from '../../core/schemas/address';
import { BytesStruct } from '../../core/schemas/hex';
import { MessageSignatureStruct } from '../../core/schemas/signature';
import { defineMethod } from './define-method';
import { nullable, optional, string, tuple } from '../../core/schemas/struct';

/**
 * `personal_sign` (specification 4.2; EIP-191 version 0x45): [message in hex, address] -> 65 bytes r, s, v. Of a password
 * behind them, which web3.js sends for nodes that keep keys, nothing is made.
 */
export const personalSign = defineMethod({
  name: 'personal_sign',
  paramNames: ['message', 'address', 'password'],
  params: tuple([BytesStruct, AddressStruct, optional(nullable(string()))]),
  result: MessageSignatureStruct,
  read: ([message, address]) => ({ message, address, digest: personalMessageDigest(fromHex(message)) }),
  subject: ({ address }) => ({ addresses: [{ field: 'address', address }] }),
  explain: ({ message }, view) => explainMessage(message, view),
  run: async ({ signDigest }, { digest }) => toHex(signatureToBytes(await signDigest(digest))),
});
