import fc from 'fast-check';
import { recoverPublicKey, toHex } from 'viem';

import {
  isPrivateKey,
  publicKeyOf,
  recoverPublicKeyOf,
  type Signature,
  signatureToBytes,
  signDigest,
} from '../../../../src/core/eth/secp256k1';
import { fuzzing } from '../../../helpers/fuzz';

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const anyKey = bytes32.filter(isPrivateKey);

/** @returns Whether a signature recovers a public key. */
function recovers(publicKey: Uint8Array, digest: Uint8Array, signature: Signature): boolean {
  try {
    return Buffer.from(recoverPublicKeyOf(digest, signature)).equals(publicKey);
  } catch {
    return false;
  }
}

const flipped = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

describe('recovering the public key', () => {
  it("gives the signer's key, as viem does", async () => {
    await fc.assert(
      fc.asyncProperty(anyKey, bytes32, async (privateKey, digest) => {
        const publicKey = publicKeyOf(privateKey);
        const signature = signDigest(digest, privateKey);
        expect(recovers(publicKey, digest, signature)).toBe(true);
        const viem = await recoverPublicKey({ hash: toHex(digest), signature: toHex(signatureToBytes(signature)) });
        expect(viem).toBe(`0x04${Buffer.from(publicKey).toString('hex')}`);
      }),
      fuzzing(25),
    );
  });

  it('gives another key, or none, after any bit of the digest or signature changes', () => {
    fc.assert(
      fc.property(anyKey, bytes32, fc.nat(255), (privateKey, digest, bit) => {
        const publicKey = publicKeyOf(privateKey);
        const signature = signDigest(digest, privateKey);
        expect(recovers(publicKey, flipped(digest, bit), signature)).toBe(false);
        expect(recovers(publicKey, digest, { ...signature, r: flipped(signature.r, bit) })).toBe(false);
        expect(recovers(publicKey, digest, { ...signature, s: flipped(signature.s, bit) })).toBe(false);
        expect(recovers(publicKey, digest, { ...signature, yParity: signature.yParity === 0 ? 1 : 0 })).toBe(false);
      }),
      fuzzing(25),
    );
  });

  it('works for digests of zeros and ones, and for the smallest and the largest key', () => {
    const largest = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140', 'hex');
    for (const privateKey of [Uint8Array.from(Buffer.from('01'.padStart(64, '0'), 'hex')), Uint8Array.from(largest)]) {
      for (const digest of [new Uint8Array(32), new Uint8Array(32).fill(0xff)]) {
        expect(recovers(publicKeyOf(privateKey), digest, signDigest(digest, privateKey))).toBe(true);
      }
    }
  });
});
