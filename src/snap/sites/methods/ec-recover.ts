import { InvalidParamsError } from '../../../core/errors';
import { fromHex, type Hex } from '../../../core/eth/bytes';
import { addressOfPublicKey } from '../../../core/eth/checksum';
import { personalMessageDigest } from '../../../core/eth/message';
import { recoverPublicKeyOf } from '../../../core/eth/secp256k1';
import { BytesStruct } from '../../../core/structs/hex';
import { MessageSignatureStruct } from '../../../core/schemas/signature';
import { parse, startingWith } from '../../../core/structs/struct';
import { type ParamsOf, type RpcMethod } from './method';

/** The longest message, in bytes: hashing takes time, and nobody is asked. */
const MAX_MESSAGE = 128 * 1024;

const ParamsStruct = startingWith([BytesStruct, MessageSignatureStruct]);

/** @returns The parity of `v`: 27 or 28, or 0 or 1 as some signers write it; undefined for anything else. */
const parityOf = (v: number): 0 | 1 | undefined => (v === 0 || v === 27 ? 0 : v === 1 || v === 28 ? 1 : undefined);

function recover(message: Hex, signature: Hex): Hex | undefined {
  const bytes = fromHex(signature);
  const yParity = parityOf(bytes[64] ?? -1);
  if (yParity === undefined) return undefined;
  try {
    const parts = { r: bytes.slice(0, 32), s: bytes.slice(32, 64), yParity };
    return addressOfPublicKey(recoverPublicKeyOf(personalMessageDigest(fromHex(message)), parts));
  } catch {
    // No key makes such a signature.
    return undefined;
  }
}

/**
 * `personal_ecRecover` (EIP-191, version 0x45): [message in hex, signature of 65 bytes] -> the address of the key that
 * signed. It reveals nothing about accounts, so any site may call it. A smart account's signature is not verified so.
 *
 * @throws {InvalidParamsError} If no key makes such a signature.
 */
export const personalEcRecover: RpcMethod<'personal_ecRecover'> = (params) => {
  const [message, signature]: ParamsOf<'personal_ecRecover'> = parse(ParamsStruct, params, 'params', [
    'message',
    'signature',
  ]);
  if (message.length > 2 + 2 * MAX_MESSAGE)
    throw new InvalidParamsError('message', `must be at most ${MAX_MESSAGE} bytes`);
  const address = recover(message, signature);
  if (address === undefined)
    throw new InvalidParamsError('signature', 'must be a signature r, s, v that a key can make');
  return Promise.resolve(address);
};
