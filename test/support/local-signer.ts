import { fromHex, type Hex } from '../../src/core/eth/bytes';
import { signDigest } from '../../src/core/eth/secp256k1';
import { type EoaMethod, METHODS, type MethodResult } from '../../src/snap/account/methods';

/** Runs an account method with a given key: the real structs and method, without a keyring. */
export const signWith = async (privateKey: Hex, method: EoaMethod, params: unknown): Promise<MethodResult> =>
  METHODS[method].decode(params).sign((digest) => Promise.resolve(signDigest(digest, fromHex(privateKey))));
