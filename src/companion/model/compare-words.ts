import { wordlist } from '@scure/bip39/wordlists/english';
import { encodeAbiParameters, keccak256 } from 'viem';

import { lowerCase } from '../../core/eth/bytes';
import { type Proposal } from './recovery-proposal';

const PARAMETERS = ['uint256', 'address', 'address', 'uint256', 'address[]', 'uint256'].map((type) => ({ type }));
const WORDS = 6;
/** Of one of the 2,048 words of BIP-39. */
const BITS = 11n;

/** How often is hashed. The page needs milliseconds for it; whoever guesses needs it for each guess. */
const ROUNDS = 1024;

/**
 * Words by which people find out on the phone that they look at the same recovery. They stand for 66 bits of a hash of
 * everything that guardians confirm. Another recovery with the words of a given one takes 2^76 hashes to find.
 *
 * @param nonce - The number of the account's next recovery at its module: an old link has other words.
 * @returns Six words, with spaces between them.
 */
export function compareWords({ chainId, safe, module, newOwners, newThreshold }: Proposal, nonce: bigint): string {
  // Sorted: the order of owners means nothing.
  const owners = newOwners.map(lowerCase).sort();
  const values = [chainId, lowerCase(safe), lowerCase(module), nonce, owners, newThreshold];
  let digest = encodeAbiParameters(PARAMETERS, values);
  for (let round = 0; round < ROUNDS; round++) digest = keccak256(digest);
  const hash = BigInt(digest);
  return Array.from({ length: WORDS }, (_, index) => {
    const shift = 256n - BITS * BigInt(index + 1);
    return wordlist[Number((hash >> shift) & ((1n << BITS) - 1n))];
  }).join(' ');
}
