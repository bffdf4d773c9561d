import { contractName } from '../../../core/decode/words/known-contracts';
import { ZERO_ADDRESS } from '../../../core/eth/address';
import { type Authorization, authorizationDigest } from '../../../core/eth/authorization';
import { type Hex, quantityToHex, toHex } from '../../../core/eth/bytes';
import { type Signature } from '../../../core/eth/secp256k1';
import { type Kept } from '../../../core/ledger/signed/kept';
import { chainNameOf } from '../../../core/schemas/chain';
import { type SignDigest } from '../methods/define-method';
import { type SignedRepository } from './repository';

type KeepDeps = { readonly signed: SignedRepository; readonly now: () => bigint };

/**
 * Signs while what is signed is recorded. The record is complete before the signature is handed out, and taken back if
 * nothing was signed.
 *
 * @param kept - Undefined for what nobody else can use.
 * @throws {StateError} If it cannot be recorded. The signature is not handed out then.
 */
export async function signAndKeep<T>(
  sign: () => Promise<T>,
  kept: Kept | undefined,
  { signed, now }: KeepDeps,
): Promise<T> {
  if (kept === undefined) return sign();
  const [signing, recording] = await Promise.allSettled([sign(), signed.add([kept], now())]);
  if (recording.status === 'rejected') throw recording.reason;
  if (signing.status === 'fulfilled') return signing.value;
  // Listing something that nobody can use does no harm. An earlier signature of the same still counts.
  if (!recording.value) await signed.remove(kept).catch(() => undefined);
  throw signing.reason;
}

const titleOf = (delegate: Hex): string =>
  delegate === ZERO_ADDRESS
    ? 'Take the upgrade of the account back'
    : `Run the code of ${contractName(delegate) ?? delegate} as the account`;

/** Signs an authorization (EIP-7702), which anybody who sees it can use while the account's nonce is what it says. */
export function signAuthorization(
  authorization: Authorization,
  { account, origin }: Pick<Kept, 'account' | 'origin'>,
  signDigest: SignDigest,
  deps: KeepDeps,
): Promise<Signature> {
  const { address, chainId, nonce } = authorization;
  const digest = authorizationDigest(authorization);
  const kept: Kept = {
    account,
    origin,
    at: Number(deps.now()) * 1000,
    hash: toHex(digest),
    title: titleOf(address),
    chainId: chainNameOf(chainId),
    authorization: { address, nonce: quantityToHex(nonce) },
  };
  return signAndKeep(() => signDigest(digest), kept, deps);
}
