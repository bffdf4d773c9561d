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
import { KnownKey } from '../../../../src/core/eth/known-key';
import { fuzzing } from '../../../support/fuzz';

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

/** @returns Whether both ways of checking a signature agree, and accept it. */
function isBy(publicKey: Uint8Array, digest: Uint8Array, signature: Signature): boolean {
  const made = new KnownKey(publicKey).made(digest, signature);
  expect(made).toBe(recovers(publicKey, digest, signature));
  return made;
}

const flipped = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

describe('recovering the public key', () => {
  it("gives the signer's key, as viem does", async () => {
    await fc.assert(
      fc.asyncProperty(anyKey, bytes32, async (privateKey, digest) => {
        const publicKey = publicKeyOf(privateKey);
        const signature = signDigest(digest, privateKey);
        expect(isBy(publicKey, digest, signature)).toBe(true);
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
        expect(isBy(publicKey, flipped(digest, bit), signature)).toBe(false);
        expect(isBy(publicKey, digest, { ...signature, r: flipped(signature.r, bit) })).toBe(false);
        expect(isBy(publicKey, digest, { ...signature, s: flipped(signature.s, bit) })).toBe(false);
        expect(isBy(publicKey, digest, { ...signature, yParity: signature.yParity === 0 ? 1 : 0 })).toBe(false);
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

  it('refuses a high s with the other parity, an r or s outside of the order, and another key', () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const bytesOf = (value: bigint): Uint8Array => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
    const [privateKey, digest] = [new Uint8Array(32).fill(3), new Uint8Array(32).fill(9)];
    const publicKey = publicKeyOf(privateKey);
    const known = new KnownKey(publicKey);
    const signature = signDigest(digest, privateKey);
    const s = BigInt(toHex(signature.s));
    expect(known.made(digest, signature)).toBe(true);
    expect(known.made(digest, { ...signature, s: bytesOf(order - s), yParity: signature.yParity === 0 ? 1 : 0 })).toBe(
      false,
    );
    for (const wrong of [0n, order, order + 1n]) {
      expect(known.made(digest, { ...signature, r: bytesOf(wrong) })).toBe(false);
      expect(known.made(digest, { ...signature, s: bytesOf(wrong) })).toBe(false);
    }
    expect(new KnownKey(publicKeyOf(new Uint8Array(32).fill(4))).made(digest, signature)).toBe(false);
    expect(() => new KnownKey(flipped(publicKey, 9))).toThrow();
  });
});
