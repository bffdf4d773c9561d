import { addressOfPublicKey, isSameAddress } from '../eth/address';
import { type Hex } from '../eth/bytes';
import { checkerOf, recoverPublicKeyOf, type Signature, type SignatureCheck } from '../eth/secp256k1';

/** The signers whose public keys are at hand, the one used last at the end. */
const known = new Map<string, SignatureCheck>();
const MOST = 16;

/** A key is prepared when it is used again: most are used once before the snap is stopped. */
function remember(signer: string, publicKey: Uint8Array): void {
  let check: SignatureCheck | undefined;
  known.set(signer, (digest, signature) => (check ??= checkerOf(publicKey))(digest, signature));
  for (const oldest of known.keys()) {
    if (known.size <= MOST) return;
    known.delete(oldest);
  }
}

/**
 * @returns Whether the public key that made a signature has an address. The first signature of a signer is checked by
 * recovering the key, the later ones against that key.
 */
export function isSignedBy(signer: Hex, digest: Uint8Array, signature: Signature): boolean {
  const name = signer.toLowerCase();
  const check = known.get(name);
  if (check !== undefined) {
    known.delete(name);
    known.set(name, check);
    return check(digest, signature);
  }
  const publicKey = recoverPublicKeyOf(digest, signature);
  if (!isSameAddress(addressOfPublicKey(publicKey), signer)) return false;
  remember(name, publicKey);
  return true;
}
