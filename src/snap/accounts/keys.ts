import { InternalError } from '../../core/errors';
import { type KindName } from '../../core/erc4337/kinds';
import { fromHex, type Hex } from '../../core/eth/bytes';
import { addressOfPublicKey } from '../../core/eth/checksum';
import { isPrivateKey, publicKeyOf, type Signature, signDigest } from '../../core/eth/secp256k1';
import { type Entropy } from '../platform/entropy';
import { isSmart, type KeySource, signerOf, type StoredAccount } from './account';
import { isMadeBy } from './checked-signature';

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
