import { type GasFees, type Replacement } from '../../calls/replacement';
import { type Hex } from '../../eth/bytes';
import { type Explanation } from '../explanation';
import { text } from '../words/lines';
import { gwei } from '../words/units';

/** What is pending, and how it is replaced. */
export type Replaced = {
  readonly how: Replacement;
  readonly hash: Hex;
  readonly noun: 'transaction' | 'user operation';
  readonly nonce: bigint;
  readonly fees: GasFees;
};

/** @returns The explanation of what replaces something pending. It says so, however often it is made again. */
export function explainReplacement({ unresolved, ...explanation }: Explanation, replaced: Replaced): Explanation {
  const { how, hash, noun, nonce, fees } = replaced;
  return {
    ...explanation,
    title: how === 'cancel' ? `Cancel a pending ${noun}` : `Speed up: ${explanation.title}`,
    main: [
      text('Replaces', `the ${noun} ${hash.slice(0, 10)}…${hash.slice(-8)}`),
      text('Its nonce', nonce.toString()),
      text('Its fee', `up to ${gwei(fees.maxFeePerGas)} per gas`),
      ...explanation.main,
    ],
    ...(unresolved && {
      unresolved: {
        ...unresolved,
        explainWith: (found) => explainReplacement(unresolved.explainWith(found), replaced),
      },
    }),
  };
}
