import { MODULE_4337 } from '../../core/erc4337/safe/contracts';
import { ServiceFailedError, ServiceRefusedError, StateError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex, lowerCase, quantityToHex } from '../../core/eth/bytes';
import { type ReadAt } from '../../core/recovery/answer';
import { readPending } from '../../core/recovery/pending';
import { readModules } from '../../core/recovery/safe-modules';
import { chainIdOf, type ChainName } from '../../core/schemas/chain';
import { type ChainRepository } from '../networks/repository';
import { servicesOf } from '../networks/services';
import { type Mutex } from '../platform/mutex';
import { type Alarm, isAlarm, type RecoveryRepository, type WatchedModule } from './repository';

/** The dependencies of looking whether a recovery has begun. */
export type LookDeps = {
  readonly recoveries: RecoveryRepository;
  readonly chains: ChainRepository;
  readonly mutations: Mutex;
};

/** A Safe of the user's, and the networks it is on. */
export type WatchedSafe = { readonly address: Hex; readonly chainIds: readonly ChainName[] };

/** A dialog does not look again sooner, in milliseconds. The shortest delay of a real module is three days. */
const FRESH = 600_000;

/** An alarm shows no more new owners. Further ones are counted. */
const MAX_OWNERS = 20;

const isAt =
  (one: WatchedModule) =>
  (other: WatchedModule): boolean =>
    one.chainId === other.chainId && one.account === other.account && one.module === other.module;

const isNoAnswer = (error: unknown): boolean =>
  error instanceof ServiceFailedError || error instanceof ServiceRefusedError;

/** The node of a network, with a short time limit; undefined if the network is not set up. */
async function readerFor(chainId: ChainName, { chains }: LookDeps): Promise<ReadAt | undefined> {
  const configuration = await chains.find(chainIdOf(chainId));
  return configuration && { node: servicesOf(configuration).hints, block: 'latest' };
}

/** @throws {ServiceFailedError} If the module does not answer as one for recovery. */
async function withPending(watched: WatchedModule, at: ReadAt): Promise<WatchedModule> {
  const { account, chainId, module, announced } = watched;
  const pending = await readPending(module, account, at);
  const place = { account, chainId, module, ...(announced !== undefined && { announced }) };
  if (pending === undefined) return place;
  const { newOwners, newThreshold, executeAfter } = pending;
  return {
    ...place,
    pending: {
      newOwners: newOwners.slice(0, MAX_OWNERS),
      more: Math.max(0, newOwners.length - MAX_OWNERS),
      newThreshold: quantityToHex(newThreshold),
      executeAfter: quantityToHex(executeAfter),
    },
  };
}

/** Stores what the networks have now. A failure is no reason to withhold it from the user. */
const store = (
  change: (before: readonly WatchedModule[]) => readonly WatchedModule[],
  { recoveries, mutations }: LookDeps,
): Promise<void> =>
  mutations
    .runExclusive(() => recoveries.change(change))
    .catch((error: unknown) => {
      if (!(error instanceof StateError)) throw error;
    });

/** The module as it is now; as it was if the network does not answer. The next dialog asks again then. */
async function lookAgain(watched: WatchedModule, deps: LookDeps): Promise<WatchedModule> {
  const at = await readerFor(watched.chainId, deps);
  return at === undefined
    ? watched
    : withPending(watched, at).catch((error: unknown) => {
        if (!isNoAnswer(error)) throw error;
        deps.recoveries.lookedAt.delete(lowerCase(watched.account));
        return watched;
      });
}

/**
 * Looks whether a recovery of an account has begun, at the modules that are known of it: none for nearly every account,
 * and then no network is asked. Asks at most every ten minutes.
 */
export async function alarmsOf(account: Hex, deps: LookDeps): Promise<readonly Alarm[]> {
  const { recoveries } = deps;
  const known = await recoveries.of(account);
  if (known.length === 0) return [];
  const key = lowerCase(account);
  if (Date.now() - (recoveries.lookedAt.get(key) ?? 0) < FRESH) return known.filter(isAlarm);
  recoveries.lookedAt.set(key, Date.now());
  const now = await Promise.all(known.map((watched) => lookAgain(watched, deps)));
  await store((all) => all.map((watched) => now.find(isAt(watched)) ?? watched), deps);
  return now.filter(isAlarm);
}

/**
 * The recovery modules of a Safe on a network. Any module that answers like one counts, so that a recovery through a
 * module that Keystead does not know is noticed too. A module that was disabled still counts: its guardians can begin a
 * recovery, which goes on if the module is enabled again.
 */
async function modulesOn(
  address: Hex,
  chainId: ChainName,
  known: readonly WatchedModule[],
  deps: LookDeps,
): Promise<readonly WatchedModule[]> {
  const at = await readerFor(chainId, deps);
  if (at === undefined) return known;
  const account = lowerCase(address);
  try {
    const enabled = (await readModules(account, at)).filter((module) => !isSameAddress(module, MODULE_4337));
    const asked = [...enabled.map((module) => ({ account, chainId, module })), ...known];
    const distinct = asked.filter((one, index) => asked.findIndex(isAt(one)) === index);
    const found = await Promise.all(
      distinct.map((one) => {
        // A module that never answered like one for recovery is another one.
        const before = known.find(isAt(one));
        return withPending(before ?? one, at).catch((error: unknown) => {
          if (isNoAnswer(error)) return before;
          throw error;
        });
      }),
    );
    return found.filter((one) => one !== undefined);
  } catch (error) {
    // A Safe that is not deployed has no modules, and answers nothing.
    if (isNoAnswer(error)) return known;
    throw error;
  }
}

/**
 * Looks at the modules of all Safes on their networks, and whether a recovery has begun. Asks each network once for
 * each of its Safes, and once more for each module.
 *
 * @returns The recovery modules of these accounts.
 */
export async function lookForRecoveries(
  safes: readonly WatchedSafe[],
  deps: LookDeps,
): Promise<readonly WatchedModule[]> {
  const { recoveries } = deps;
  const known = await recoveries.list();
  const places = safes.flatMap(({ address, chainIds }) => chainIds.map((chainId) => ({ address, chainId })));
  const found = await Promise.all(
    places.map(({ address, chainId }) => {
      const ofPlace = known.filter((one) => one.chainId === chainId && isSameAddress(one.account, address));
      return modulesOn(address, chainId, ofPlace, deps);
    }),
  );
  const now = found.flat();
  await store(() => now, deps);
  return now;
}

/** Records that the person has seen these recoveries in a dialog of their own. */
export const rememberAnnounced = (alarms: readonly Alarm[], deps: LookDeps): Promise<void> =>
  store(
    (all) =>
      all.map((watched) => {
        const shown = alarms.find(isAt(watched));
        return shown === undefined ? watched : { ...watched, announced: shown.pending.executeAfter };
      }),
    deps,
  );
