import { isSameAddress } from '../../../eth/address';
import { type WordScene } from '../../scene';
import { allOf, isBeyondSupply, tokenName } from '../../words/amounts';
import { isPublicSpender } from '../../words/known-contracts';
import { nameOf, shortAddress } from '../../words/names';
import { isNever, utcTime } from '../../words/time';
import { allowanceOf, plus } from '../changes';
import { type Allow, type FactOf, type FoundEffect } from '../effect';
import { type Allowance } from '../outcome';
import { type Verdict } from '../verdict';

/**
 * Dangers of permissions: `unlimited-approval`, `approval-for-all`, `everything` (once), `never-expires`,
 * `unknown-permission`.
 */

/** A deadline limits the use of a signature. The permission it gives may last longer. */
const ENDLESS_SIGNATURE = 'This signature can be used for more than ten years.';

/** ", now and in the future" or " until …"; empty if the end has passed. Permit2 then allows the current block only. */
function duration(end: bigint | undefined, now: bigint): string {
  if (end === undefined || isNever(end, now)) return ', now and in the future';
  return end > now ? ` until ${utcTime(end)}` : '';
}

/** The permissions of one spender over one token, with their sum. */
type Permission = Allow & { readonly longest: bigint | undefined };

const withLongest = (allow: Allow): Permission => ({ ...allow, longest: allow.end });

/** A permission to move one NFT, where a function that ERC-20 and ERC-721 share gives it. */
function asNft(effect: Allow, scene: WordScene): Allow {
  const allowance = effect.of === 'amount' ? allowanceOf(effect, scene) : undefined;
  return allowance?.kind === 'nft' ? { ...effect, of: 'nft', amount: 1n, id: allowance.id } : effect;
}

/** Adds up the permissions of one spender over one token of one owner. */
function permissionsIn(effects: readonly FoundEffect[], scene: WordScene): Permission[] {
  const all = new Map<string, Permission>();
  for (const found of effects) {
    if (found.kind !== 'allow') continue;
    const effect = asNft(found, scene);
    if (effect.amount === 0n) continue;
    const { of, owner, spender, token, id, once, isDebt } = effect;
    const key = `${of}/${owner}/${spender}/${token}/${id}/${once}/${isDebt}`.toLowerCase();
    const before = all.get(key);
    if (before === undefined) all.set(key, withLongest(effect));
    else {
      const endless = before.longest === undefined || effect.end === undefined;
      const later = endless || before.longest > effect.end ? before.longest : effect.end;
      all.set(key, {
        ...before,
        amount: plus(before.amount, effect.amount),
        longest: endless ? undefined : later,
      });
    }
  }
  return [...all.values()];
}

function judgePermission(permission: Permission, scene: WordScene, verdict: Verdict): void {
  const { view } = scene;
  const { of, owner, spender, token, amount, longest, once, isDebt } = permission;
  const who = nameOf(spender, view);
  if (of === 'everything') {
    const place = token === undefined ? 'a contract' : `contract ${shortAddress(token)}`;
    const holder =
      owner === undefined
        ? 'the calling account holds'
        : isSameAddress(owner, view.signer)
          ? 'you hold'
          : `account ${shortAddress(owner)} holds`;
    verdict.danger(
      'approval-for-all',
      () => `This lets ${who} move everything ${holder} in ${place}, now and in the future.`,
    );
  }
  const holdings = () => allOf(tokenName(token, scene), owner, view);
  if (of !== 'everything' && isBeyondSupply(amount, token, scene)) {
    if (isDebt === true)
      verdict.danger('unlimited-approval', () => {
        const debtor = owner === undefined ? 'the calling account' : nameOf(owner, view);
        return `This lets ${who} borrow an unlimited amount that ${debtor} has to repay, now and in the future.`;
      });
    else if (once === true) verdict.danger('everything', () => `This lets ${who} take ${holdings()}, once.`);
    else
      verdict.danger('unlimited-approval', () => `This lets ${who} spend ${holdings()}${duration(longest, view.now)}.`);
  }
  if (isPublicSpender(spender, scene.chainId))
    verdict.danger('public-contract', () => `This lets ${who} spend ${tokenName(token, scene)}. Anybody can use that.`);
}

/**
 * Judges permissions: what one spender may use of one token is added up, and what only a simulation finds counts too.
 *
 * @param found - The permissions that a simulation finds.
 */
export function judgePermissions(
  effects: readonly FoundEffect[],
  found: readonly Allowance[],
  scene: WordScene,
  verdict: Verdict,
): void {
  const decoded = permissionsIn(effects, scene);
  for (const permission of decoded) judgePermission(permission, scene, verdict);
  for (const allowance of found) {
    const { kind: of, spender, token } = allowance;
    const amount = allowance.kind === 'amount' ? allowance.amount : 1n;
    const isDecoded = decoded.some(
      (one) =>
        one.of === of &&
        one.amount >= amount &&
        one.token !== undefined &&
        isSameAddress(one.token, token) &&
        isSameAddress(one.spender, spender),
    );
    if (isDecoded) continue;
    const isDebt = 'isDebt' in allowance && { isDebt: true as const };
    const effect: Allow = { kind: 'allow', of, owner: scene.view.signer, spender, token, amount, ...isDebt };
    judgePermission(withLongest(effect), scene, verdict);
  }
}

/** Dangers of how long a permission or a signature counts. One that takes a permission back may last. */
export function judgeEnds({ amount, end, deadline }: Allow, { view }: WordScene, verdict: Verdict): void {
  if (amount === 0n) return;
  if (end !== undefined && isNever(end, view.now)) verdict.always('never-expires');
  if (deadline !== undefined && isNever(deadline, view.now)) verdict.danger('never-expires', () => ENDLESS_SIGNATURE);
}

/** A signature that moves something and can be used for more than ten years. */
export function judgeSignature({ end }: FactOf<'signature'>, { view }: WordScene, verdict: Verdict): void {
  if (isNever(end, view.now)) verdict.danger('never-expires', () => ENDLESS_SIGNATURE);
}

export function judgeUnknownPermission({ what, to }: FactOf<'permission'>, scene: WordScene, verdict: Verdict): void {
  const who = to === undefined ? 'somebody' : nameOf(to, scene.view);
  switch (what) {
    case 'all':
      verdict.danger('approval-for-all', () => `This may let ${who} move everything you hold in a contract.`);
      break;
    case 'unlimited':
      verdict.danger(
        'unlimited-approval',
        () => `This may let ${who} spend an unlimited amount of your tokens, now and in the future.`,
      );
      break;
    case 'agent':
      verdict.danger('account-administration', () => `This may let ${who} act for your account.`);
      break;
    case 'amount':
      verdict.danger(
        'unknown-permission',
        () => `This may give ${who} permission to spend your tokens or act for your account.`,
      );
      break;
    case 'described':
      verdict.warn(`This may give ${who} permission to spend your tokens or act for your account.`);
  }
}
