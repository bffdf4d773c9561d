import { MAX_UINT256 } from '../../../eth/units';
import { type Hex } from '../../../eth/bytes';
import { type WordScene } from '../../scene';
import { allOf, isBeyondSupply, rowAmount, shortAmount, tokenName, tokenOf } from '../../words/amounts';
import { isPublicContract } from '../../words/known-contracts';
import { nameOf } from '../../words/names';
import { nativeAmount } from '../../words/units';
import { assetOf } from '../changes';
import { type FactOf, type FoundEffect, type Move } from '../effect';
import { type Changes } from '../outcome';
import { type Verdict } from '../verdict';

/**
 * Dangers of what leaves an account: `everything`, `gas-refund`, `public-contract`, `value-to-creation`.
 */
export function judgeMove(move: Move, scene: WordScene, verdict: Verdict): void {
  const { view } = scene;
  const { asset, amount, from, to, isRefund } = move;
  if (amount === 0n) return;
  // An ID may be as large as it likes, so only the largest number means everything where the token is not known.
  const isAll =
    asset.kind === 'erc20' &&
    (amount === MAX_UINT256 ||
      (tokenOf(asset.token, asset.declared, scene) !== undefined && isBeyondSupply(amount, asset.token, scene)));
  if (isAll && to !== undefined)
    verdict.danger(
      'everything',
      () => `This sends ${allOf(tokenName(asset.token, scene), from, view)} to ${nameOf(to, view)}.`,
    );
  if (isRefund === true)
    verdict.danger('gas-refund', () => {
      const who = to === undefined ? 'whoever submits it' : nameOf(to, view);
      return `This pays ${rowAmount(assetOf(move, scene), scene)} or more for gas to ${who}. It could take everything that the Safe holds.`;
    });
  if (to !== undefined && asset.kind !== 'native' && isPublicContract(to))
    verdict.danger(
      'public-contract',
      () =>
        `This sends ${shortAmount(assetOf(move, scene), scene)} to ${nameOf(to, view)}. Anybody can take it from there.`,
    );
}

/** Coins for a contract that is created, and a creation without code. */
export function judgeCreation({ value, isEmpty }: FactOf<'creation'>, scene: WordScene, verdict: Verdict): void {
  if (value > 0n)
    verdict.danger(
      'value-to-creation',
      () =>
        `This sends ${nativeAmount(value, scene)} to a contract that does not exist yet. Its code decides who gets it.`,
    );
  if (isEmpty)
    verdict.warn('This creates a contract without any code. The recipient was probably left out by mistake.');
}

/** Everything of a token that leaves for nothing, as a simulation finds it. */
export function judgeLosses({ sends, receives }: Changes, scene: WordScene, verdict: Verdict): void {
  if (receives.length > 0) return;
  for (const { asset, isAll } of sends)
    if (isAll === true && asset.kind === 'erc20')
      verdict.danger('everything', () => `This takes all of your ${tokenName(asset.token, scene, asset.declared)}.`);
}

/** Coins that stay in a contract through which anybody can make any call. */
export function judgeLeftCoins(effects: readonly FoundEffect[], scene: WordScene, verdict: Verdict): void {
  const left = new Map<string, bigint>();
  for (const effect of effects) {
    if (effect.kind !== 'move' || effect.asset.kind !== 'native') continue;
    for (const [party, amount] of [
      [effect.to, effect.amount],
      [effect.from, -effect.amount],
    ] as const)
      if (party !== undefined && isPublicContract(party))
        left.set(party.toLowerCase(), (left.get(party.toLowerCase()) ?? 0n) + amount);
  }
  for (const [contract, wei] of left)
    if (wei > 0n)
      verdict.danger(
        'public-contract',
        () =>
          `This leaves ${nativeAmount(wei, scene)} in ${nameOf(contract as Hex, scene.view)}. Anybody can take it from there.`,
      );
}
