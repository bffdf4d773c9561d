import { isSameAddress } from '../../core/eth/address';
import { type Hex, lowerCase } from '../../core/eth/bytes';
import { addressOfPublicKey } from '../../core/eth/checksum';
import { KnownKey } from '../../core/eth/known-key';
import { recoverPublicKeyOf, type Signature } from '../../core/eth/secp256k1';
import { LruCache } from '../../core/lru-cache';

type Known = { readonly publicKey: Uint8Array; key?: KnownKey };

/** The public keys of the signers that signed last, by lower-case address. Each takes about 20 kB. */
const known = new LruCache<Hex, Known>(8);

/**
 * The first signature of a signer is checked by recovering its public key. That belongs to the address, so later
 * signatures are checked against it, which is faster and no less strict (ADR 0017).
 *
 * @param digest - 32 bytes.
 * @param signer - The address of the signer.
 * @returns Whether the signer made the signature.
 */
export function isMadeBy(signer: Hex, digest: Uint8Array, signature: Signature): boolean {
  const address = lowerCase(signer);
  const found = known.get(address);
  if (found !== undefined) return (found.key ??= new KnownKey(found.publicKey)).made(digest, signature);
  const publicKey = recoverPublicKeyOf(digest, signature);
  if (!isSameAddress(addressOfPublicKey(publicKey), signer)) return false;
  known.set(address, { publicKey });
  return true;
}
