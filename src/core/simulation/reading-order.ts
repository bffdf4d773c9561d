import { type Hex } from '../eth/bytes';
import { type Changes } from '../decode/effects/outcome';
import { type AssetEvents, type Movement } from './asset-logs';

/** @returns Whether a token is on Keystead's list. Only what others must give way to is asked. */
export type IsKnownToken = (token: Hex) => boolean | Promise<boolean>;

/** A preview reads no more assets and permissions, since each takes several calls. Few requests have as many. */
const MAX_ASSETS = 24;
const MAX_ALLOWANCES = 24;

/** Sorts entries by rank, and keeps the order otherwise. */
async function ranked<Entry>(entries: readonly Entry[], rankOf: (entry: Entry) => Promise<number>): Promise<Entry[]> {
  const ranks = await Promise.all(entries.map(rankOf));
  return entries
    .map((entry, at) => ({ entry, rank: ranks[at] ?? 0 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}

/**
 * Chooses what a preview reads: anybody can log as many worthless tokens as they like, and these must not crowd out
 * what the account loses. Losses come first, then receipts, each with known tokens before others. Tokens that only
 * others move come last: if some are left out, that is as if they had logged nothing.
 *
 * @returns The events within the limits, and whether losses, permissions or receipts are left out.
 */
export async function withinRoom(
  { movements, grants, bystanders, ...others }: AssetEvents,
  isKnown: IsKnownToken,
): Promise<AssetEvents & Pick<Changes, 'unread'>> {
  const unknownLast = async (token: Hex): Promise<number> => ((await isKnown(token)) ? 0 : 1);
  const room = MAX_ASSETS - movements.length;
  const besides =
    bystanders.length <= room ? bystanders : (await ranked(bystanders, unknownLast)).slice(0, Math.max(0, room));
  const isLoss = ({ net }: Movement): boolean => net < 0n;
  const read =
    room >= 0
      ? movements
      : await ranked(movements, async (one) => (isLoss(one) ? 0 : 2) + (await unknownLast(one.asset.token)));
  const given =
    grants.length <= MAX_ALLOWANCES ? grants : await ranked(grants, ({ allowance }) => unknownLast(allowance.token));
  const left = read.slice(MAX_ASSETS);
  const losesMore = others.isPartial || given.length > MAX_ALLOWANCES || left.some(isLoss);
  return {
    ...others,
    movements: read.slice(0, MAX_ASSETS),
    grants: given.slice(0, MAX_ALLOWANCES),
    bystanders: besides,
    ...(losesMore ? { unread: 'losses' } : left.length > 0 && { unread: 'receipts' }),
  };
}
