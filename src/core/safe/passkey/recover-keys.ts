import { p256 } from '@noble/curves/nist.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';

import { type Assertion, type PasskeyPoint, rsOfDer } from './webauthn';

/** @returns Whether two points are the same. */
export const isSamePoint = (a: PasskeyPoint, b: PasskeyPoint): boolean => a.x === b.x && a.y === b.y;

/** Which of the points that have an x like `r` was meant (SEC 1, 4.1.6). The last two hardly ever exist. */
const RECOVERY = [0, 1, 2, 3];

/**
 * The public keys with which an assertion verifies. Usually two: one signature cannot say which of them made it.
 *
 * @throws {InvalidParamsError} If the signature is not one of P-256.
 */
export function recoverKeys({ authenticatorData, clientDataJSON, signature }: Assertion): readonly PasskeyPoint[] {
  const { r, s } = rsOfDer(signature);
  const digest = sha256(concatBytes(authenticatorData, sha256(clientDataJSON)));
  return RECOVERY.flatMap((recovery) => {
    try {
      const { x, y } = new p256.Signature(r, s, recovery).recoverPublicKey(digest).toAffine();
      return [{ x, y }];
    } catch {
      return [];
    }
  });
}
