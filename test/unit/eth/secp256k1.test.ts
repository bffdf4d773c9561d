import fc from 'fast-check';

import {
  checkerOf,
  isPrivateKey,
  publicKeyOf,
  recoverPublicKeyOf,
  type Signature,
  signDigest,
} from '../../../src/eth/secp256k1';
import { fuzzing } from '../../helpers/fuzz';

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const anyKey = bytes32.filter(isPrivateKey);

/** What recovery says about the same question. */
function isRecovered(publicKey: Uint8Array, digest: Uint8Array, signature: Signature): boolean {
  try {
    return Buffer.from(recoverPublicKeyOf(digest, signature)).equals(publicKey);
  } catch {
    return false;
  }
}

const flipped = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

describe('checkerOf', () => {
  it('takes the signatures of its key, and says the same as recovery about every other', () => {
    fc.assert(
      fc.property(anyKey, bytes32, fc.nat(255), (privateKey, digest, bit) => {
        const publicKey = publicKeyOf(privateKey);
        const check = checkerOf(publicKey);
        const signature = signDigest(digest, privateKey);
        expect(check(digest, signature)).toBe(true);
        const wrong: [Uint8Array, Signature][] = [
          [flipped(digest, bit), signature],
          [digest, { ...signature, r: flipped(signature.r, bit) }],
          [digest, { ...signature, s: flipped(signature.s, bit) }],
          [digest, { ...signature, yParity: signature.yParity === 0 ? 1 : 0 }],
        ];
        for (const [otherDigest, other] of wrong) {
          expect(isRecovered(publicKey, otherDigest, other)).toBe(false);
          expect(check(otherDigest, other)).toBe(false);
        }
      }),
      fuzzing(25),
    );
  });

  it('refuses the signature of another key', () => {
    fc.assert(
      fc.property(anyKey, anyKey, bytes32, (mine, other, digest) => {
        fc.pre(!Buffer.from(mine).equals(other));
        expect(checkerOf(publicKeyOf(mine))(digest, signDigest(digest, other))).toBe(false);
      }),
      fuzzing(25),
    );
  });

  it('holds for a digest of zeros and for the smallest and the largest key', () => {
    const largest = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140', 'hex');
    for (const privateKey of [Uint8Array.from(Buffer.from('01'.padStart(64, '0'), 'hex')), Uint8Array.from(largest)]) {
      for (const digest of [new Uint8Array(32), new Uint8Array(32).fill(0xff)]) {
        expect(checkerOf(publicKeyOf(privateKey))(digest, signDigest(digest, privateKey))).toBe(true);
      }
    }
  });
});
