import { concatBytes } from '@noble/hashes/utils.js';
import { numberToBytes } from 'viem/utils';

import { fromHex, type Hex, toHex } from '../../eth/bytes';

/**
 * What a passkey was made for. Its authenticator keeps this as `user.id` (WebAuthn, at most 64 bytes) and returns it
 * with each signature, so that the passkey finds its account in an empty browser. It proves nothing: whoever made the
 * passkey chose it.
 */
export type PasskeyHome = {
  readonly chainId: bigint;
  readonly safe: Hex;
  /** When the passkey was made, in seconds since 1970. */
  readonly made: number;
};

/** Authenticators replace a passkey by another one with the same id, so each id has random bytes. */
export const RANDOM_BYTES = 16;
const CHAIN_END = 8;
const SAFE_END = CHAIN_END + 20;
const MADE_END = SAFE_END + 4;
const LENGTH = MADE_END + RANDOM_BYTES;

/**
 * @param random - {@link RANDOM_BYTES} random bytes.
 * @returns The `user.id` of a new passkey: network (8 bytes), Safe (20), time (4) and the random bytes.
 * @throws {RangeError} If the number of the network does not fit.
 */
export function userIdOf({ chainId, safe, made }: PasskeyHome, random: Uint8Array): Uint8Array<ArrayBuffer> {
  if (chainId < 1n || chainId >= 2n ** 64n) throw new RangeError('chainId: must be from 1 to 2^64 - 1');
  return Uint8Array.from(
    concatBytes(
      numberToBytes(chainId, { size: CHAIN_END }),
      fromHex(safe),
      numberToBytes(made, { size: MADE_END - SAFE_END }),
      random,
    ),
  );
}

/** @returns What a passkey says that it was made for; undefined for a `user.id` of another kind. */
export function homeOf(userId: Uint8Array): PasskeyHome | undefined {
  if (userId.length !== LENGTH) return undefined;
  const chainId = BigInt(toHex(userId.subarray(0, CHAIN_END)));
  if (chainId === 0n) return undefined;
  const made = Number(toHex(userId.subarray(SAFE_END, MADE_END)));
  return { chainId, safe: toHex(userId.subarray(CHAIN_END, SAFE_END)), made };
}
