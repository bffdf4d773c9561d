import { utcTime } from '../../core/decode/words/time';
import { isExpired } from '../../core/ledger/signed/expiry';
import { droppedOf, type Kept } from '../../core/ledger/signed/kept';
import { networkTitle } from '../../core/networks/network';
import { chainIdOf } from '../../core/schemas/chain';
import { type Names } from '../accounts/names';
import { type HomeSigned } from '../ui/home/signed';

/** @returns What the home page says of signatures that others can use. */
export function homeSigned(kept: readonly Kept[], { names, networks }: Names, now: bigint): HomeSigned {
  const live = kept.filter((one) => !isExpired(one, now));
  const open = live.filter(({ goneAt }) => goneAt === undefined);
  return {
    open: open.map(({ account, origin, at, title, chainId, until }) => ({
      account,
      accountName: names[account.toLowerCase()] ?? '',
      title,
      networkTitle:
        chainId === undefined
          ? 'every network'
          : networkTitle(chainIdOf(chainId), networks[chainIdOf(chainId).toString()]),
      origin,
      signedAt: utcTime(BigInt(Math.floor(at / 1000))),
      until: until === undefined ? 'no end' : utcTime(BigInt(until)),
    })),
    gone: live.length - open.length,
    nodes: [...new Set(live.flatMap(({ goneAt }) => goneAt ?? []))],
    dropped: droppedOf(kept),
  };
}
