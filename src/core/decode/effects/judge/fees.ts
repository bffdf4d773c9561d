import { grouped } from '../../../eth/units';
import { type WordScene } from '../../scene';
import { shortAddress } from '../../words/names';
import { feeAtMost } from '../../words/units';
import { type FactOf } from '../effect';
import { type Verdict } from '../verdict';

/** Dangers of fees: `excessive-fee`, `unknown-paymaster`, `cannot-succeed`. */

/** A fee this many times what the node suggests is a warning, and a danger. */
const HIGH_FEE = 10n;
const EXCESSIVE_FEE = 100n;

/** More gas than a bundler needs for an operation of 128 KiB, and more than a block of most networks has. */
const HIGH_OVERHEAD = 10_000_000n;
const EXCESSIVE_OVERHEAD = 100_000_000n;

/**
 * Rollups charge for data by adding gas, which is cheap there: so gas alone says little, and an overhead is compared in
 * coins, too. Data fees of an operation stay far below these, in wei.
 */
const HIGH_COST = 10n ** 16n;
const EXCESSIVE_COST = 10n ** 17n;

/** Compares the price per gas with what the node suggests. */
export function judgePrice({ price, suggested }: FactOf<'fee'>, _scene: WordScene, verdict: Verdict): void {
  const times = suggested === 0n ? 0n : price / suggested;
  const words = `The price per gas is ${grouped(times.toString())} times what the network's node suggests.`;
  if (times >= EXCESSIVE_FEE) verdict.danger('excessive-fee', () => words);
  else if (times >= HIGH_FEE) verdict.warn(words);
}

/** Gas that is paid for whatever an operation uses. */
export function judgeOverhead({ gas, usual, price }: FactOf<'overhead'>, scene: WordScene, verdict: Verdict): void {
  const cost = gas * price;
  const words = `The fee includes ${feeAtMost(cost, scene)} for the bundler's own work (${grouped(gas.toString())} units of gas), paid whatever the calls use.`;
  const isAbove = (most: bigint, times: bigint, atLeast: bigint): boolean =>
    gas >= most || (cost >= atLeast && gas >= times * usual);
  if (isAbove(EXCESSIVE_OVERHEAD, EXCESSIVE_FEE, EXCESSIVE_COST)) verdict.danger('excessive-fee', () => words);
  else if (isAbove(HIGH_OVERHEAD, HIGH_FEE, HIGH_COST)) verdict.warn(words);
}

/** A paymaster that comes with an operation. */
export function judgePaymaster({ paymaster }: FactOf<'paymaster'>, _scene: WordScene, verdict: Verdict): void {
  verdict.danger(
    'unknown-paymaster',
    () => `The fee is to be paid by ${shortAddress(paymaster)}, a paymaster that Keystead did not choose.`,
  );
}
