import { isSameAddress, ZERO_ADDRESS } from '../../../eth/address';
import { networkTitle } from '../../../networks/network';
import { entryOf } from '../../metadata/contract-metadata';
import { type WordScene } from '../../scene';
import { contractName } from '../../words/known-contracts';
import { nameOf, shortAddress } from '../../words/names';
import { nativeAmount, networkIn } from '../../words/units';
import { type Control, type Delegated, type FactOf, type Withdrawal } from '../effect';
import { type OwnOutcome } from '../own-changes';
import { type Verdict } from '../verdict';

/**
 * Dangers of control over an account or a contract: `account-administration`, `account-recovery`, `account-delegation`,
 * `delegatecall`, `own-contract`, `own-operation`, `foreign-operation`.
 */

/** Ownership, roles, code, modules and the like change hands. */
export function judgeControl({ does, isFirst, isRecovery }: Control, { view }: WordScene, verdict: Verdict): void {
  if (isFirst === true) return;
  const sentence = (): string => `This ${does((address) => nameOf(address, view))}.`;
  if (isRecovery === true) verdict.danger('account-recovery', sentence);
  else verdict.danger('account-administration', sentence);
}

/**
 * A change of who controls an account, by what its steps come to. The companion page offers such changes of an own
 * account, so only what is unusual about them is a danger there.
 *
 * @param isSaid - Whether the title says it.
 */
export function judgeOutcome(
  { of, sentence, isCancel, dangers }: OwnOutcome,
  isSaid: boolean,
  { view }: WordScene,
  verdict: Verdict,
): void {
  if (isCancel) return;
  const isOwn = view.isOwnPage === true && isSameAddress(of, view.signer);
  if (!isOwn)
    verdict.danger('account-administration', () =>
      [`This changes who controls ${nameOf(of, view)}. ${sentence}.`, ...dangers].join(' '),
    );
  else if (dangers.length > 0)
    verdict.danger('account-administration', () => [...(isSaid ? [] : [`${sentence}.`]), ...dangers].join(' '));
  else if (!isSaid) verdict.warn(`${sentence}.`);
}

/** A deposit for user operations is taken out. */
export function judgeWithdrawal({ wei, contract, to }: Withdrawal, scene: WordScene, verdict: Verdict): void {
  verdict.danger(
    'account-administration',
    () =>
      `This withdraws a deposit of ${nativeAmount(wei, scene)} from ${nameOf(contract, scene.view)} and sends it to ${nameOf(to, scene.view)}.`,
  );
}

/** A delegation (ERC-7710) whose limits Keystead does not decode, or that has none. */
export function judgeLimits({ by, of, count }: FactOf<'limits-unread'>, { view }: WordScene, verdict: Verdict): void {
  const limits = count === 1 ? 'a limit' : 'limits';
  verdict.danger(
    'account-administration',
    () =>
      `This lets ${shortAddress(by)} do anything with ${nameOf(of, view)}, ${count === 0 ? 'without limits' : `within ${limits} that Keystead cannot read`}.`,
  );
}

/** Code that runs as the account. */
export function judgeForeignCode({ code }: FactOf<'foreign-code'>, _scene: WordScene, verdict: Verdict): void {
  if (code === undefined) verdict.always('delegatecall');
  else
    verdict.danger(
      'delegatecall',
      () =>
        `This runs the code at ${shortAddress(code)} as the account itself. That code can take everything the account holds.`,
    );
}

/** A user operation that is signed as typed data, of whichever account. */
export function judgeOperation({ sender }: FactOf<'operation'>, { view }: WordScene, verdict: Verdict): void {
  const own = entryOf(view.names ?? {}, sender.toLowerCase());
  if (isSameAddress(sender, view.signer)) verdict.always('own-operation');
  else if (own !== undefined)
    verdict.danger(
      'own-operation',
      () =>
        `This makes calls from your ${own}, another account of yours. Anyone who gets the signature can have them made.`,
    );
  else
    verdict.danger(
      'foreign-operation',
      () =>
        `This is an operation of ${shortAddress(sender)}. Anyone who gets the signature can have it carried out if your key controls that account.`,
    );
}

/** Code that an account runs from now on (EIP-7702). */
export function judgeDelegation(effect: Delegated, scene: WordScene, verdict: Verdict): void {
  const { view } = scene;
  const { delegate, authority, idleNonce, isOwn } = effect;
  const chainId = scene.chainId ?? effect.chainId;
  const code = contractName(delegate) ?? shortAddress(delegate);
  const takesBack = delegate === ZERO_ADDRESS;
  if (isOwn === true) {
    const network = chainId === undefined ? 'this network' : networkTitle(chainId, view.networks?.[chainId.toString()]);
    const isSigner = authority === undefined || isSameAddress(authority, view.signer);
    const whose = isSigner ? 'your account' : nameOf(authority, view);
    verdict.warn(
      takesBack
        ? `This takes back the upgrade (EIP-7702) of ${whose} on ${network}. It is then a standard account again.`
        : `This upgrades your account on ${network} only: it runs the code of ${code} from now on, which makes several calls at once and lets others pay the fee. Address, key and assets stay the same. You can take it back on Keystead's home page in MetaMask.`,
    );
    return;
  }
  if (authority === undefined) {
    if (takesBack) verdict.warn('This takes back the upgrade (EIP-7702) of an account.');
    else
      verdict.danger(
        'account-delegation',
        () => `This makes an account run the code of ${code}, which decides over everything that the account holds.`,
      );
    return;
  }
  const network = chainId === undefined ? 'this network' : networkIn(scene, chainId).name;
  const who = nameOf(authority, view);
  if (idleNonce !== undefined)
    verdict.warn(`The authorization of ${who} with nonce ${idleNonce} has no effect here. It may take effect later.`);
  if (takesBack)
    verdict.warn(
      `This takes back the upgrade (EIP-7702) of ${who} on ${network}. It is then a standard account again.`,
    );
  else
    verdict.danger(
      'account-delegation',
      () =>
        `This makes ${who} run the code of ${code} on ${network}. That code decides over everything that the account holds there, until the upgrade is taken back.`,
    );
}
