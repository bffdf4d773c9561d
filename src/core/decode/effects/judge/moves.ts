import { MAX_UINT256 } from '../../../eth/units';
import { type Hex } from '../../../eth/bytes';
import { collectionAt } from '../../metadata/collections';
import { tokenAt } from '../../metadata/tokens';
import { type WordScene } from '../../scene';
import { allOf, isBeyondSupply, rowAmount, shortAmount, tokenName, tokenOf } from '../../words/amounts';
import { isPublicContract, isPublicHolder } from '../../words/known-contracts';
import { knownName, nameOf } from '../../words/names';
import { nativeAmount } from '../../words/units';
import { assetOf } from '../changes';
import { type FactOf, type FoundEffect, type Move } from '../effect';
import { type AssetAmount, type Changes } from '../outcome';
import { type Verdict } from '../verdict';

/** Of the network's coin: every network that Keystead serves has so many. */
const COIN_DECIMALS = 18;

const UNREAD_LOSSES =
  'This changes more than a preview can show. It may take more from you, or allow others more, than you see here.';

/**
 * Dangers of what leaves an account: `everything`, `gas-refund`, `not-fully-read`, `public-contract`,
 * `value-to-creation`.
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
  if (to !== undefined && asset.kind !== 'native' && isPublicHolder(to, scene.chainId))
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

/** Less than a ten-thousandth of a token or coin counts as dust. */
const DUST_DECIMALS = 4;

/** @returns Whether something that is received may be what the account pays for. Nobody vouches for other assets. */
function isOfValue({ asset, amount }: AssetAmount, scene: WordScene): boolean {
  if (asset.kind === 'erc721' || asset.kind === 'erc1155') return collectionAt(asset.token, scene) !== undefined;
  const decimals = asset.kind === 'native' ? COIN_DECIMALS : tokenAt(asset.token, scene)?.decimals;
  return decimals !== undefined && amount >= 10n ** BigInt(Math.max(0, decimals - DUST_DECIMALS));
}

/** @returns Whether all contracts that the account calls are known, as a name or as a token. */
const callsKnownOnly = (effects: readonly FoundEffect[], { view, ...scene }: WordScene): boolean =>
  effects.every(
    (effect) =>
      effect.kind !== 'call' ||
      effect.isUnread !== true ||
      knownName(effect.to, view) !== undefined ||
      tokenAt(effect.to, { view, ...scene }) !== undefined,
  );

/**
 * Everything of a token that leaves for nothing, as a simulation finds it. What an unknown contract gives for it counts
 * only if it is worth something: a token that nobody knows, or dust, does not.
 */
export function judgeLosses(
  { sends, receives }: Changes,
  effects: readonly FoundEffect[],
  scene: WordScene,
  verdict: Verdict,
): void {
  const isPaid = callsKnownOnly(effects, scene) ? receives.length > 0 : receives.some((one) => isOfValue(one, scene));
  if (isPaid) return;
  const worthless = receives.length === 0 ? '' : ' What you receive for it may be worth nothing.';
  for (const { asset, isAll } of sends)
    if (isAll === true && asset.kind === 'erc20')
      verdict.danger(
        'everything',
        () => `This takes all of your ${tokenName(asset.token, scene, asset.declared)}.${worthless}`,
      );
}

/** Changes that a preview leaves out because there are too many. Only further receipts are no danger. */
export function judgeUnread({ unread }: Changes, verdict: Verdict): void {
  if (unread === 'losses') verdict.danger('not-fully-read', () => UNREAD_LOSSES);
  else if (unread === 'receipts') verdict.warn('You may receive more than this shows. What you send is shown in full.');
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
