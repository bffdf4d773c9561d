import { ServiceSilentError, StateError } from '../../../core/errors';
import { isSameAddress } from '../../../core/eth/address';
import { type Hex, lowerCase } from '../../../core/eth/bytes';
import { chainIdOf, type ChainName } from '../../../core/schemas/chain';
import { type ChainRepository } from '../../network/repository';
import { type NamedNode, servicesOf } from '../../network/services';
import { type Mutex } from '../../../core/mutex';
import { compare, type Witness } from './compare';
import { isNoAnswer, lookAtSafe, type SafeOnNetwork } from './look-at-safe';
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

/** What tells entries apart. */
const keyOf = (entry: RecoveryEntry): string =>
  [entry.chainId, entry.account, entry.module, isNotice(entry) && entry.notice].join(' ');

const isAt =
  ({ account, chainId }: SafeOnNetwork) =>
  (entry: RecoveryEntry): boolean =>
    entry.chainId === chainId && isSameAddress(entry.account, account);

/** Stores what the networks have now. A failure is no reason to withhold it from the user. */
const store = (
  change: (before: readonly RecoveryEntry[]) => readonly RecoveryEntry[],
  { recoveries, mutations }: Pick<LookDeps, 'mutations' | 'recoveries'>,
): Promise<void> =>
  mutations
    .runExclusive(() => recoveries.change(change))
    .catch((error: unknown) => {
      if (!(error instanceof StateError)) throw error;
    });

/** What was announced stays so, whoever looks. */
const keepingAnnounced = (now: readonly RecoveryEntry[], before: readonly RecoveryEntry[]): readonly RecoveryEntry[] =>
  now.map((entry) => {
    const announced = before.find((one) => keyOf(one) === keyOf(entry))?.announced;
    return announced === undefined ? entry : { ...entry, announced };
  });

/**
 * Asks a node about Safes, one after another, so that it gets few requests at a time. A node that stays silent or
 * serves another chain is not asked about the others.
 */
async function askNode(
  { node, name }: NamedNode,
  chainId: ChainName,
  safes: readonly SafeOnNetwork[],
  known: readonly RecoveryEntry[],
): Promise<readonly Witness[]> {
  const witnesses: Witness[] = [];
  let isAnswering = true;
  const unless = (isSilent: (error: unknown) => boolean) => (error: unknown) => {
    if (!isNoAnswer(error)) throw error;
    if (isSilent(error)) isAnswering = false;
    return undefined;
  };
  await node.assertChain(chainIdOf(chainId)).catch(unless(() => true));
  for (const safe of safes) {
    const watched = known.filter(isModule).filter(isAt(safe));
    const look = () => lookAtSafe(safe, watched, { node, block: 'latest' });
    const isSilent = (error: unknown): boolean => error instanceof ServiceSilentError;
    witnesses.push({ name, safe: isAnswering ? await look().catch(unless(isSilent)) : undefined });
  }
  return witnesses;
}

/** Looks at the Safes of one network through its nodes. What is known stays if its settings are missing or damaged. */
async function lookAtNetwork(
  chainId: ChainName,
  safes: readonly SafeOnNetwork[],
  known: readonly RecoveryEntry[],
  { chains }: Pick<LookDeps, 'chains'>,
): Promise<readonly RecoveryEntry[]> {
  const configuration = await chains.look(chainIdOf(chainId));
  if (typeof configuration !== 'object') return known.filter((entry) => safes.some((safe) => isAt(safe)(entry)));
  const { witnesses } = servicesOf(configuration);
  const said = await Promise.all(witnesses.map((witness) => askNode(witness, chainId, safes, known)));
  return safes.flatMap((safe, at) =>
    compare(
      safe,
      known.filter(isAt(safe)),
      said.flatMap((one) => one[at] ?? []),
    ),
  );
}

/** Looks at Safes on all their networks, which are asked at the same time. */
async function look(
  safes: readonly WatchedSafe[],
  known: readonly RecoveryEntry[],
  deps: Pick<LookDeps, 'chains'>,
): Promise<readonly RecoveryEntry[]> {
  const chainIds = [...new Set(safes.flatMap((safe) => safe.chainIds))];
  const found = await Promise.all(
    chainIds.map((chainId) => {
      const here = safes.filter((safe) => safe.chainIds.includes(chainId));
      const onNetwork = here.map(({ address, owner }) => ({ account: lowerCase(address), owner, chainId }));
      return lookAtNetwork(chainId, onNetwork, known, deps);
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
  const key = lowerCase(address);
  const isEnough = (known: readonly RecoveryEntry[]): boolean =>
    known.length === 0 || Date.now() - (recoveries.lookedAt.get(key) ?? 0) < FRESH;
  const stored = await recoveries.of(address);
  if (isEnough(stored)) return stored;
  return recoveries.looks.runExclusive(async () => {
    const known = await recoveries.of(address);
    if (isEnough(known)) return known;
    const asked = Date.now();
    const now = await look([{ address, owner, chainIds: known.map(({ chainId }) => chainId) }], known, deps);
    if (!now.some((entry) => isNotice(entry) && entry.notice === 'unseen')) recoveries.lookedAt.set(key, asked);
    await store(
      (all) => [...all.filter((one) => !isSameAddress(one.account, address)), ...keepingAnnounced(now, all)],
      deps,
    );
    return now;
  });
}

/**
 * Looks at all Safes on their networks. Asks each network for a Safe's modules and owners, and each module whether a
 * recovery has begun.
 *
 * @returns What is known of these accounts.
 */
export const lookForRecoveries = (safes: readonly WatchedSafe[], deps: LookDeps): Promise<readonly RecoveryEntry[]> =>
  deps.recoveries.looks.runExclusive(async () => {
    let now = await look(safes, await deps.recoveries.list(), deps);
    await store((all) => (now = keepingAnnounced(now, all)), deps);
    return now;
  });

/** Records that the person has seen these in a dialog of their own. */
export const rememberAnnounced = (
  shown: readonly RecoveryEntry[],
  deps: Pick<LookDeps, 'mutations' | 'recoveries'>,
): Promise<void> =>
  store(
    (all) =>
      all.map((entry) => {
        const news = shown.find((one) => keyOf(one) === keyOf(entry));
        const announced = news && newsOf(news);
        return announced === undefined ? entry : { ...entry, announced };
      }),
    deps,
  );
