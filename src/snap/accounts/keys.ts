import { InternalError } from '../../core/errors';
import { type KindName } from '../../core/erc4337/kinds';
import { isSameAddress } from '../../core/eth/address';
import { fromHex, type Hex } from '../../core/eth/bytes';
import { addressOfPublicKey } from '../../core/eth/checksum';
import { isPrivateKey, publicKeyOf, recoverPublicKeyOf, type Signature, signDigest } from '../../core/eth/secp256k1';
import { type Entropy } from '../platform/entropy';
import { isSmart, type KeySource, signerOf, type StoredAccount } from './account';

/** What a key is for. Keys for different purposes are unrelated. */
export type KeyPurpose = 'eip155:eoa' | `eip155:erc4337/${KindName}`;

/** A key: where it comes from, and what it is for. */
export type AccountKey = { readonly source: KeySource; readonly purpose: KeyPurpose };

/** @returns The key of a stored account; of a smart account, its owner's. */
export const keyOf = (stored: StoredAccount): AccountKey => ({
  source: stored.key,
  purpose: isSmart(stored) ? `eip155:erc4337/${stored.smart.kind}` : 'eip155:eoa',
});

/** One salt a purpose and index. It can never change: accounts would move. */
const saltOf = (purpose: KeyPurpose, index: number): string => `keystead/${purpose}/${index}`;

async function privateKeyOf({ source: key, purpose }: AccountKey, entropy: Entropy): Promise<Uint8Array> {
  if (key.source === 'imported') return fromHex(key.privateKey);
  const privateKey = await entropy(saltOf(purpose, key.index));
  if (!isPrivateKey(privateKey)) throw new InternalError(`The recovery phrase gives no key at index ${key.index}.`);
  return privateKey;
}

/**
 * Lends a private key to `use` and wipes it afterwards. JavaScript cannot promise that no copy was made;
 * this keeps none of ours.
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

/** Says that the stored address and the key do not belong together. @param kept - What was not handed out. */
export const givesAnotherAddress = (kept: string): InternalError =>
  new InternalError(`The key of this account gives another address. The ${kept} was not handed out.`);

/** @returns The address of a key. */
export const addressOfKey = (key: AccountKey, entropy: Entropy): Promise<Hex> =>
  withPrivateKey(key, entropy, (privateKey) => addressOfPublicKey(publicKeyOf(privateKey)));

/**
 * Signs for an account, and releases the signature only if the public key recovered from it has the account's address,
 * or its owner's.
 *
 * @param digest - 32 bytes.
 * @throws {InternalError} If it does not: the stored address and the key do not belong together.
 */
export async function signFor(stored: StoredAccount, entropy: Entropy, digest: Uint8Array): Promise<Signature> {
  const signature = await withPrivateKey(keyOf(stored), entropy, (privateKey) => signDigest(digest, privateKey));
  const recovered = addressOfPublicKey(recoverPublicKeyOf(digest, signature));
  if (!isSameAddress(recovered, signerOf(stored))) throw givesAnotherAddress('signature');
  return signature;
}
