import { type WordScene } from '../../scene';
import { shortAddress } from '../../words/names';
import { type FactOf } from '../effect';
import { type Verdict } from '../verdict';

/** Dangers of fees: `excessive-fee`, `unknown-paymaster`, `cannot-succeed`. */

/** A fee this many times what the node suggests is a warning, and a danger. */
const HIGH_FEE = 10n;
const EXCESSIVE_FEE = 100n;

/** More gas than a bundler needs for an operation of 128 KiB, and more than a block of most networks has. */
const HIGH_OVERHEAD = 10_000_000n;
const EXCESSIVE_OVERHEAD = 100_000_000n;

/** Compares the price per gas with what the node suggests. */
export function judgePrice({ price, suggested }: FactOf<'fee'>, _scene: WordScene, verdict: Verdict): void {
  const times = suggested === 0n ? 0n : price / suggested;
  const words = `The price per gas is ${times.toLocaleString('en-US')} times what the network's node suggests.`;
  if (times >= EXCESSIVE_FEE) verdict.danger('excessive-fee', () => words);
  else if (times >= HIGH_FEE) verdict.warn(words);
}

/** Gas that is paid for whatever an operation uses. */
export function judgeOverhead({ gas }: FactOf<'overhead'>, _scene: WordScene, verdict: Verdict): void {
  const words = `The fee includes ${gas.toLocaleString('en-US')} units of gas for the bundler's own work, paid whatever the calls use.`;
  if (gas >= EXCESSIVE_OVERHEAD) verdict.danger('excessive-fee', () => words);
  else if (gas >= HIGH_OVERHEAD) verdict.warn(words);
}

/** A paymaster that comes with an operation. */
export function judgePaymaster({ paymaster }: FactOf<'paymaster'>, _scene: WordScene, verdict: Verdict): void {
  verdict.danger(
    'unknown-paymaster',
    () => `The fee is to be paid by ${shortAddress(paymaster)}, a paymaster that Keystead did not choose.`,
  );
}
