import { fromHex, type Hex } from '../../src/eth/bytes';
import { signDigest } from '../../src/eth/secp256k1';
import { type EoaMethod, METHODS, type MethodResult } from '../../src/methods';

/** Runs an account method with a key at hand: the real structs, the real method, no keyring around it. */
export const signWith = async (privateKey: Hex, method: EoaMethod, params: unknown): Promise<MethodResult> =>
  METHODS[method].prepare(params).run({
    signDigest: (digest) => Promise.resolve(signDigest(digest, fromHex(privateKey))),
  });
