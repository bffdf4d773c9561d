import { utcTime } from '../../core/decode/words/time';
import { isExpired } from '../../core/ledger/signed/expiry';
import { droppedOf, type Kept } from '../../core/ledger/signed/kept';
import { networkTitle } from '../../core/networks/network';
import { chainIdOf } from '../../core/schemas/chain';
import { type DisplayNames } from '../account/names';
import { type HomeSigned } from '../screens/home/signed';

/** More signatures than are kept. */
const MANY = 1000;

/** Dangerous ones first; and of each site the last one before the one before it, so that no site hides another's. */
function inOrderOfWeight(kept: readonly Kept[]): Kept[] {
  const counts = new Map<string, number>();
  const rankOf = ({ isDangerous = false, origin }: Kept): number => {
    const key = `${isDangerous} ${origin}`;
    const turn = counts.get(key) ?? 0;
    counts.set(key, turn + 1);
    return isDangerous ? turn : MANY + turn;
  };
  return [...kept]
    .sort((a, b) => b.at - a.at)
    .map((one) => ({ one, rank: rankOf(one) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}

/** @returns What the home page says of signatures that others can use. */
export function homeSigned(
  kept: readonly Kept[],
  { names, networks }: Pick<DisplayNames, 'names' | 'networks'>,
  now: bigint,
): HomeSigned {
  const live = kept.filter((one) => !isExpired(one, now));
  const open = live.filter(({ goneAt }) => goneAt === undefined);
  return {
    open: inOrderOfWeight(open).map((one) => ({
      kept: one,
      accountName: names[one.account.toLowerCase()] ?? 'Account',
      networkTitle:
        one.chainId === undefined
          ? 'every network'
          : networkTitle(chainIdOf(one.chainId), networks[chainIdOf(one.chainId).toString()]),
      at: utcTime(BigInt(Math.floor(one.at / 1000))),
      until: one.until === undefined ? 'no end' : utcTime(BigInt(one.until)),
    })),
    gone: live.length - open.length,
    nodes: [...new Set(live.flatMap(({ goneAt }) => goneAt ?? []))],
    dropped: droppedOf(kept),
  };
}
