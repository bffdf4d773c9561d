import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { utcTime } from '../../core/decode/words/time';
import { type Hex } from '../../core/eth/bytes';
import { networkTitle } from '../../core/networks/network';
import { chainIdOf } from '../../core/schemas/chain';
import { type Alarm } from '../recoveries/repository';
import { AlarmedScreen, type ShownAlarm } from '../ui/recovery-alarm';
import { type AccountEntry, isSmart } from './account';
import { type Names, namesIn, type NamesDeps } from './names';

/** The only kind of account that has recovery modules. */
export const SAFE_KIND = 'safe-0.7';

/** Looks whether a recovery of an account has begun. */
export type AlarmDeps = NamesDeps & {
  readonly alarmsOf: (account: Hex) => Promise<readonly Alarm[]>;
  /** @returns Seconds since 1970. */
  readonly now: () => bigint;
};

/** @returns An alarm in words. */
export function shownAlarm({ account, chainId, pending }: Alarm, { names, networks }: Names, now: bigint): ShownAlarm {
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

/** The recoveries of an account that have begun. */
const alarmsFor = async (entry: AccountEntry, { alarmsOf }: Pick<AlarmDeps, 'alarmsOf'>): Promise<readonly Alarm[]> =>
  isSmart(entry) && entry.smart.kind === SAFE_KIND ? alarmsOf(entry.account.address) : [];

/** @returns Whether a recovery of an account has begun. */
export const isAlarmed = async (entry: AccountEntry, deps: Pick<AlarmDeps, 'alarmsOf'>): Promise<boolean> =>
  (await alarmsFor(entry, deps)).length > 0;

/** Puts the recoveries of an account that have begun before anything else in a dialog about it. */
export async function alarmed(content: JSXElement, entry: AccountEntry, deps: AlarmDeps): Promise<JSXElement> {
  const alarms = await alarmsFor(entry, deps);
  if (alarms.length === 0) return content;
  const names = await namesIn(deps);
  return AlarmedScreen({ alarms: alarms.map((alarm) => shownAlarm(alarm, names, deps.now())), content });
}
