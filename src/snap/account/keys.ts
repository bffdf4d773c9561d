import { InternalError } from '../../core/errors';
import { type KindName } from '../../core/kinds';
import { isSameAddress } from '../../core/eth/address';
import { fromHex, type Hex, lowerCase } from '../../core/eth/bytes';
import { addressOfPublicKey } from '../../core/eth/checksum';
import { KnownKey } from '../../core/eth/known-key';
import { isPrivateKey, publicKeyOf, recoverPublicKeyOf, type Signature, signDigest } from '../../core/eth/secp256k1';
import { LruCache } from '../../core/lru-cache';
import { type Entropy } from '../wallet/client';
import { isSmart, type KeySource, signerOf, type StoredAccount } from './account';

/** The purpose of a key. Keys for different purposes are unrelated. */
export type KeyPurpose = 'eip155:eoa' | `eip155:erc4337/${KindName}`;

/** A key's source and purpose. */
export type AccountKey = { readonly source: KeySource; readonly purpose: KeyPurpose };

/** @returns The key of a stored account; for a smart account, the owner's key. */
export const keyOf = (stored: StoredAccount): AccountKey => ({
  source: stored.key,
  purpose: isSmart(stored) ? `eip155:erc4337/${stored.smart.kind}` : 'eip155:eoa',
});

/** The salt for a purpose and index. It must never change, or accounts would get other addresses. */
const saltOf = (purpose: KeyPurpose, index: number): string => `keystead/${purpose}/${index}`;

async function privateKeyOf({ source: key, purpose }: AccountKey, entropy: Entropy): Promise<Uint8Array> {
  if (key.source === 'imported') return fromHex(key.privateKey);
  const privateKey = await entropy(saltOf(purpose, key.index));
  if (!isPrivateKey(privateKey))
    throw new InternalError(`The recovery phrase yields no valid key at index ${key.index}.`);
  return privateKey;
}

/**
 * Passes a private key to `use` and wipes it afterwards. JavaScript cannot guarantee that no copy exists, but we keep
 * none.
 */
export async function withPrivateKey<T>(
  key: AccountKey,
  entropy: Entropy,
  use: (privateKey: Uint8Array) => T,
): Promise<T> {
  const privateKey = await privateKeyOf(key, entropy);
  try {
    return use(privateKey);
  } finally {
    privateKey.fill(0);
  }
}

/** The error for a stored address that does not match its key. @param withheld - What was not returned. */
export const addressMismatch = (withheld: string): InternalError =>
  new InternalError(`The key of this account belongs to another address. The ${withheld} was not returned.`);

/** @returns The address of a key. */
export const addressOfKey = (key: AccountKey, entropy: Entropy): Promise<Hex> =>
  withPrivateKey(key, entropy, (privateKey) => addressOfPublicKey(publicKeyOf(privateKey)));

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
function isMadeBy(signer: Hex, digest: Uint8Array, signature: Signature): boolean {
  const address = lowerCase(signer);
  const found = known.get(address);
  if (found !== undefined) return (found.key ??= new KnownKey(found.publicKey)).made(digest, signature);
  const publicKey = recoverPublicKeyOf(digest, signature);
  if (!isSameAddress(addressOfPublicKey(publicKey), signer)) return false;
  known.set(address, { publicKey });
  return true;
}

/**
 * Signs for an account. Returns the signature only if the public key that made it has the address of the account or its
 * owner.
 *
 * @param digest - 32 bytes.
 * @throws {InternalError} If it does not: the stored address does not match the key.
 */
export async function signFor(stored: StoredAccount, entropy: Entropy, digest: Uint8Array): Promise<Signature> {
  const signature = await withPrivateKey(keyOf(stored), entropy, (privateKey) => signDigest(digest, privateKey));
  if (!isMadeBy(signerOf(stored), digest, signature)) throw addressMismatch('signature');
  return signature;
}
