import { ServiceSilentError, StateError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex, lowerCase } from '../../core/eth/bytes';
import { type ReadAt } from '../../core/recovery/answer';
import { chainIdOf, type ChainName } from '../../core/schemas/chain';
import { type ChainRepository } from '../networks/repository';
import { servicesOf } from '../networks/services';
import { type Mutex } from '../../core/mutex';
import { isNoAnswer, lookAtPlace, type Place, unseenAt } from './look-at-place';
import { isModule, isNotice, newsOf, type RecoveryEntry, type RecoveryRepository } from './repository';

/** The dependencies of looking whether a recovery has begun. */
export type LookDeps = {
  readonly recoveries: RecoveryRepository;
  readonly chains: ChainRepository;
  readonly mutations: Mutex;
};

/** A Safe of the user's, the address of its key, and the networks it is on. */
export type WatchedSafe = { readonly address: Hex; readonly owner: Hex; readonly chainIds: readonly ChainName[] };

/** A dialog does not look again sooner, in milliseconds. The shortest delay of a real module is three days. */
const FRESH = 600_000;

const isSame =
  (one: RecoveryEntry) =>
  (other: RecoveryEntry): boolean =>
    one.chainId === other.chainId &&
    one.account === other.account &&
    (isModule(one) ? isModule(other) && one.module === other.module : isNotice(other) && one.notice === other.notice);

const isAt =
  ({ account, chainId }: Place) =>
  (entry: RecoveryEntry): boolean =>
    entry.chainId === chainId && isSameAddress(entry.account, account);

/** The node of a network, with a short time limit; undefined if its settings are missing or damaged. */
async function readerFor(chainId: ChainName, { chains }: LookDeps): Promise<ReadAt | undefined> {
  const configuration = await chains.look(chainIdOf(chainId));
  if (configuration === 'damaged') return undefined;
  return configuration && { node: servicesOf(configuration).hints, block: 'latest' };
}

/** Stores what the networks have now. A failure is no reason to withhold it from the user. */
const store = (
  change: (before: readonly RecoveryEntry[]) => readonly RecoveryEntry[],
  { recoveries, mutations }: LookDeps,
): Promise<void> =>
  mutations
    .runExclusive(() => recoveries.change(change))
    .catch((error: unknown) => {
      if (!(error instanceof StateError)) throw error;
    });

/** What was announced stays so, whoever looks. */
const keepingAnnounced = (now: readonly RecoveryEntry[], before: readonly RecoveryEntry[]): readonly RecoveryEntry[] =>
  now.map((entry) => {
    const announced = before.find(isSame(entry))?.announced;
    return announced === undefined ? entry : { ...entry, announced };
  });

/**
 * Looks at the Safes of one network one after another, so that its node gets few requests at a time. A node that stays
 * silent is not asked about the others.
 */
async function lookAtNetwork(
  chainId: ChainName,
  places: readonly Place[],
  known: readonly RecoveryEntry[],
  deps: LookDeps,
): Promise<readonly RecoveryEntry[]> {
  const at = await readerFor(chainId, deps);
  const found: RecoveryEntry[] = [];
  let isSilent = false;
  for (const place of places) {
    const before = known.filter(isAt(place));
    if (at === undefined) found.push(...before);
    else if (isSilent) found.push(...unseenAt(place, before));
    else
      try {
        found.push(...(await lookAtPlace(place, before, at)));
      } catch (error) {
        if (!isNoAnswer(error)) throw error;
        isSilent = error instanceof ServiceSilentError;
        found.push(...unseenAt(place, before));
      }
  }
  return found;
}

/** Looks at Safes on all their networks, which are asked at the same time. */
async function look(
  safes: readonly WatchedSafe[],
  known: readonly RecoveryEntry[],
  deps: LookDeps,
): Promise<readonly RecoveryEntry[]> {
  const chainIds = [...new Set(safes.flatMap((safe) => safe.chainIds))];
  const found = await Promise.all(
    chainIds.map((chainId) => {
      const here = safes.filter((safe) => safe.chainIds.includes(chainId));
      const places = here.map(({ address, owner }) => ({ account: lowerCase(address), owner, chainId }));
      return lookAtNetwork(chainId, places, known, deps);
    }),
  );
  return found.flat();
}

/**
 * What is known of recoveries of a Safe, for a dialog. Nothing is known of nearly every account, and then no network is
 * asked. Otherwise, the networks are asked again every ten minutes, or until they answer.
 */
export async function recoveriesOf(
  { address, owner }: Omit<WatchedSafe, 'chainIds'>,
  deps: LookDeps,
): Promise<readonly RecoveryEntry[]> {
  const { recoveries } = deps;
  const known = await recoveries.of(address);
  const key = lowerCase(address);
  if (known.length === 0 || Date.now() - (recoveries.lookedAt.get(key) ?? 0) < FRESH) return known;
  const asked = Date.now();
  const now = await look([{ address, owner, chainIds: known.map(({ chainId }) => chainId) }], known, deps);
  if (!now.some((entry) => isNotice(entry) && entry.notice === 'unseen')) recoveries.lookedAt.set(key, asked);
  await store(
    (all) => [...all.filter((one) => !isSameAddress(one.account, address)), ...keepingAnnounced(now, all)],
    deps,
  );
  return now;
}

/**
 * Looks at all Safes on their networks. Asks each network for a Safe's modules and owners, and each module whether a
 * recovery has begun.
 *
 * @returns What is known of these accounts.
 */
export async function lookForRecoveries(
  safes: readonly WatchedSafe[],
  deps: LookDeps,
): Promise<readonly RecoveryEntry[]> {
  const { recoveries } = deps;
  let now = await look(safes, await recoveries.list(), deps);
  await store((all) => (now = keepingAnnounced(now, all)), deps);
  return now;
}

/** Records that the person has seen these in a dialog of their own. */
export const rememberAnnounced = (shown: readonly RecoveryEntry[], deps: LookDeps): Promise<void> =>
  store(
    (all) =>
      all.map((entry) => {
        const news = shown.find(isSame(entry));
        const announced = news && newsOf(news);
        return announced === undefined ? entry : { ...entry, announced };
      }),
    deps,
  );
