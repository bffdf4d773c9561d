import { utcTime } from '../../core/decode/words/time';
import { type Hex } from '../../core/eth/bytes';
import { networkOf } from '../../core/networks/network';

/** A guardian's practice run for an account. */
export type Practice = {
  readonly chainId: bigint;
  readonly safe: Hex;
  readonly module: Hex;
  /** When it was signed, in seconds since 1970. */
  readonly at: bigint;
};

/**
 * What a guardian signs for practice (EIP-191). It holds addresses, numbers and words of ours only, and no contract
 * accepts a signed message of this form for anything.
 */
export const practiceMessage = ({ chainId, safe, module, at }: Practice): string =>
  [
    'Practice run of a guardian',
    '',
    'This signature confirms no recovery and moves nothing. It shows that you still have your key.',
    '',
    `Account: ${safe}`,
    `Network: ${networkOf(chainId).name} (chain ${chainId})`,
    `Recovery module: ${module}`,
    `Time: ${utcTime(at)}`,
  ].join('\n');
