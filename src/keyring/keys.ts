import { InternalError } from '../errors';
import { addressOfPublicKey, isSameAddress } from '../eth/address';
import { fromHex, type Hex } from '../eth/bytes';
import { isPrivateKey, publicKeyOf, recoverPublicKeyOf, type Signature, signDigest } from '../eth/secp256k1';
import { type Entropy } from '../platform/entropy';
import { type KeySource, type StoredAccount } from './account';

/** One salt a kind and index: keys of different kinds are unrelated. It can never change: accounts would move. */
const saltOf = (index: number): string => `keystead/eip155:eoa/${index}`;

async function privateKeyOf(key: KeySource, entropy: Entropy): Promise<Uint8Array> {
  if (key.source === 'imported') return fromHex(key.privateKey);
  const privateKey = await entropy(saltOf(key.index));
  if (!isPrivateKey(privateKey)) throw new InternalError(`The recovery phrase gives no key at index ${key.index}.`);
  return privateKey;
}

/**
 * Lends a private key to `use` and wipes it afterwards. JavaScript cannot promise that no copy was made;
 * this keeps none of ours.
 */
export async function withPrivateKey<T>(
  key: KeySource,
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

/** @returns The address of a key. */
export const addressOfKey = (key: KeySource, entropy: Entropy): Promise<Hex> =>
  withPrivateKey(key, entropy, (privateKey) => addressOfPublicKey(publicKeyOf(privateKey)));

/**
 * Signs for an account, and hands the signature out only if it recovers to the account's address.
 *
 * @param digest - 32 bytes.
 * @throws {InternalError} If it does not: the stored address and the key do not belong together.
 */
export async function signFor(stored: StoredAccount, entropy: Entropy, digest: Uint8Array): Promise<Signature> {
  const signature = await withPrivateKey(stored.key, entropy, (privateKey) => signDigest(digest, privateKey));
  if (!isSameAddress(addressOfPublicKey(recoverPublicKeyOf(digest, signature)), stored.account.address)) {
    throw new InternalError('The key of this account gives another address. The signature was not handed out.');
  }
  return signature;
}
