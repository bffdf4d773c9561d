import { MODULE_4337 } from '../../core/erc4337/safe/contracts';
import { ServiceFailedError, ServiceRefusedError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex, lowerCase, quantityToHex } from '../../core/eth/bytes';
import { EmptyAnswerError, isOtherContract, type ReadAt } from '../../core/recovery/answer';
import { RECOVERY_MODULES, recoveryModuleAt } from '../../core/recovery/modules';
import { type PendingRecovery, readPending } from '../../core/recovery/pending';
import { readModules } from '../../core/recovery/safe-modules';
import { readOwners } from '../../core/recovery/state';
import { type ChainName } from '../../core/schemas/chain';
import { BytesStruct } from '../../core/schemas/hex';
import {
  type Alarm,
  isAnnounced,
  isModule,
  isNotice,
  type Notice,
  type RecoveryEntry,
  type WatchedModule,
} from './repository';

/** A Safe of the user's on one network. */
export type Place = {
  /** In lower case. */
  readonly account: Hex;
  /** The address of its key. */
  readonly owner: Hex;
  readonly chainId: ChainName;
};

/** An alarm shows no more new owners. Further ones are counted. */
const MAX_OWNERS = 20;

/** @returns Whether an error is a node's: it did not answer, refused, or answered nonsense. */
export const isNoAnswer = (error: unknown): boolean =>
  error instanceof ServiceFailedError || error instanceof ServiceRefusedError;

const noticeAt = ({ account, chainId }: Place, notice: Notice['notice']): Notice => ({ account, chainId, notice });

/** @returns What was known, and that it could not be seen whether that is still so. */
export const unseenAt = (place: Place, known: readonly RecoveryEntry[]): readonly RecoveryEntry[] => [
  ...known.filter((entry) => !isNotice(entry) || entry.notice !== 'unseen'),
  noticeAt(place, 'unseen'),
];

/**
 * The modules and owners of a Safe; undefined if it is not deployed.
 *
 * @throws {ServiceFailedError} If the node does not answer as for a Safe.
 */
async function readSafe(account: Hex, at: ReadAt): Promise<readonly [readonly Hex[], readonly Hex[]] | undefined> {
  try {
    return await Promise.all([readModules(account, at), readOwners(account, at)]);
  } catch (error) {
    const isEmpty = error instanceof EmptyAnswerError;
    if (isEmpty && (await at.node.ask('eth_getCode', [account, at.block], BytesStruct)) === '0x') return undefined;
    throw error;
  }
}

const described = ({ newOwners, newThreshold, executeAfter }: PendingRecovery): Alarm['pending'] => ({
  newOwners: newOwners.slice(0, MAX_OWNERS),
  more: Math.max(0, newOwners.length - MAX_OWNERS),
  newThreshold: quantityToHex(newThreshold),
  executeAfter: quantityToHex(executeAfter),
});

/** What was seen of a module. */
type Seen = { readonly entry?: WatchedModule | undefined; readonly notice?: Notice['notice'] };

/** Whether the key still is an owner, after a recovery has ended. */
async function outcomeFor({ account, owner }: Place, at: ReadAt): Promise<'cancelled' | 'lost'> {
  return (await readOwners(account, at)).some((one) => isSameAddress(one, owner)) ? 'cancelled' : 'lost';
}

/**
 * Looks at a module, whether it is enabled or not: while it is disabled, its guardians can begin a recovery, which goes
 * on when it is enabled again.
 *
 * @param before - What was known of it.
 */
async function lookAtModule(
  module: Hex,
  place: Place,
  { isEnabled, before }: { readonly isEnabled: boolean; readonly before: WatchedModule | undefined },
  at: ReadAt,
): Promise<Seen> {
  const { account, chainId } = place;
  try {
    const pending = await readPending(module, account, at);
    if (pending !== undefined) return { entry: { account, chainId, module, pending: described(pending) } };
    if (before?.pending !== undefined)
      return { entry: { account, chainId, module }, notice: await outcomeFor(place, at) };
    return isEnabled || before !== undefined ? { entry: { account, chainId, module } } : {};
  } catch (error) {
    if (!isNoAnswer(error)) throw error;
    // The network does not have this one of the known modules.
    if (before === undefined && error instanceof EmptyAnswerError) return {};
    const isOther = before === undefined && recoveryModuleAt(module) === undefined && isOtherContract(error);
    return isOther ? {} : { entry: before, notice: 'unseen' };
  }
}

/**
 * Looks at a Safe on a network: whether a recovery has begun through any module that answers like one for recovery, or
 * through a known one that is disabled, and whether its key is still one of its owners. A recovery that is not pending
 * any more was cancelled or finished, which its owners tell.
 *
 * @param known - What was known of it.
 * @throws {ServiceFailedError} If the node does not answer as for a Safe.
 * @throws {ServiceRefusedError} If the node refuses.
 */
export async function lookAtPlace(
  place: Place,
  known: readonly RecoveryEntry[],
  at: ReadAt,
): Promise<readonly RecoveryEntry[]> {
  const safe = await readSafe(place.account, at);
  const watched = known.filter(isModule);
  // A Safe that had a module does not vanish.
  if (safe === undefined) return watched.length === 0 ? [] : unseenAt(place, known);
  const [modules, owners] = safe;
  const enabled = modules.filter((module) => !isSameAddress(module, MODULE_4337)).map(lowerCase);
  const listed = RECOVERY_MODULES.map(({ address }) => lowerCase(address));
  const asked = new Set([...enabled, ...watched.map(({ module }) => lowerCase(module)), ...listed]);
  const seen = await Promise.all(
    [...asked].map((module) =>
      lookAtModule(
        module,
        place,
        { isEnabled: enabled.includes(module), before: watched.find((one) => isSameAddress(one.module, module)) },
        at,
      ),
    ),
  );
  const notices = new Set([
    ...known.flatMap((one) => (isNotice(one) && one.notice === 'cancelled' && !isAnnounced(one) ? [one.notice] : [])),
    ...(owners.some((one) => isSameAddress(one, place.owner)) ? [] : (['lost'] as const)),
    ...seen.flatMap(({ notice }) => notice ?? []),
  ]);
  return [...seen.flatMap(({ entry }) => entry ?? []), ...[...notices].map((notice) => noticeAt(place, notice))];
}
