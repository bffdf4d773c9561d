import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { utcTime } from '../../core/decode/words/time';
import { networkTitle } from '../../core/networks/network';
import { eachOnce, noticeWords, type NoticeWords } from '../../core/safe/recovery/notice';
import { chainIdOf } from '../../core/schemas/chain';
import { type Alarm, isAlarm, isNotice, newsOf, type Notice, type RecoveryEntry } from './recoveries/repository';
import { AlarmedScreen, type ShownAlarm } from '../screens/recovery-alarm';
import { type AccountEntry, isSmart, type SmartAccountEntry } from './account';
import { type AccountDeps } from './deps';
import { type DisplayNames, namesIn } from './names';

/** The only kind of account that has recovery modules. */
export const SAFE_KIND = 'safe-0.7';

/** @returns An alarm in words. */
export function shownAlarm(
  { account, chainId, pending }: Alarm,
  { names, networks }: DisplayNames,
  now: bigint,
): ShownAlarm {
  const id = chainIdOf(chainId);
  const from = BigInt(pending.executeAfter);
  return {
    account,
    accountName: names[account.toLowerCase()] ?? '',
    networkTitle: networkTitle(id, networks[id.toString()]),
    newOwners: pending.newOwners,
    more: pending.more,
    newThreshold: BigInt(pending.newThreshold),
    from: from > now ? utcTime(from) : undefined,
  };
}

/** @returns Notices in words, each once. */
export const shownNotices = (notices: readonly Notice[], { names, networks }: DisplayNames): readonly NoticeWords[] =>
  eachOnce(
    notices.map((notice) => {
      const id = chainIdOf(notice.chainId);
      return noticeWords(notice, names[notice.account.toLowerCase()] ?? '', networkTitle(id, networks[id.toString()]));
    }),
  );

const recoveriesFor = async (
  entry: AccountEntry,
  { recoveriesOf }: Pick<AccountDeps, 'recoveriesOf'>,
): Promise<readonly RecoveryEntry[]> =>
  isSmart(entry) && entry.smart.kind === SAFE_KIND
    ? recoveriesOf({ address: entry.account.address, owner: entry.smart.owner })
    : [];

/** @returns Whether a recovery of an account has begun or has taken it from its key, or nodes contradict each other. */
export const isAlarmed = async (entry: SmartAccountEntry, deps: Pick<AccountDeps, 'recoveriesOf'>): Promise<boolean> =>
  (await recoveriesFor(entry, deps)).some((one) => newsOf(one) !== undefined);

/** Puts what there is to say of recoveries of an account before anything else in a dialog about it. */
export async function alarmed(
  content: JSXElement,
  entry: AccountEntry,
  deps: Pick<AccountDeps, 'accounts' | 'chains' | 'now' | 'recoveriesOf'>,
): Promise<JSXElement> {
  const found = await recoveriesFor(entry, deps);
  // Nobody is reassured in a dialog that asks for a decision.
  const notices = found.filter(isNotice).filter(({ notice }) => notice !== 'cancelled');
  const alarms = found.filter(isAlarm);
  if (alarms.length + notices.length === 0) return content;
  const names = await namesIn(deps);
  return AlarmedScreen({
    alarms: alarms.map((alarm) => shownAlarm(alarm, names, deps.now())),
    notices: shownNotices(notices, names),
    content,
  });
}
