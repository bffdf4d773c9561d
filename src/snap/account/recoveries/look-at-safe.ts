import { MODULE_4337 } from '../../../core/safe/contracts';
import { ServiceFailedError, ServiceRefusedError } from '../../../core/errors';
import { isIn, isSameAddress } from '../../../core/eth/address';
import { type Hex, lowerCase, quantityToHex } from '../../../core/eth/bytes';
import { EmptyAnswerError, isOtherContract, type ReadAt } from '../../../core/safe/recovery/answer';
import { RECOVERY_MODULES, recoveryModuleAt } from '../../../core/safe/recovery/modules';
import { type PendingRecovery, readPending } from '../../../core/safe/recovery/pending';
import { readModules } from '../../../core/safe/recovery/safe-modules';
import { readOwners } from '../../../core/safe/recovery/state';
import { type ChainName } from '../../../core/schemas/chain';
import { BytesStruct } from '../../../core/structs/hex';
import { type Alarm, type WatchedModule } from './repository';

/** A Safe of the user's on one network. */
export type SafeOnNetwork = {
  /** In lower case. */
  readonly account: Hex;
  /** The address of its key. */
  readonly owner: Hex;
  readonly chainId: ChainName;
};

/** What a node says of a module: the recovery that has begun, or none; `unread` if its answer could not be read. */
export type ModuleView = Alarm['pending'] | 'none' | 'unread';

/** What a node says of a Safe. */
export type SafeView = { readonly isOwner: boolean; readonly modules: ReadonlyMap<Hex, ModuleView> };

/** An alarm shows no more new owners. Further ones are counted. */
const MAX_OWNERS = 20;

/** @returns Whether an error is a node's: it did not answer, refused, or answered nonsense. */
export const isNoAnswer = (error: unknown): boolean =>
  error instanceof ServiceFailedError || error instanceof ServiceRefusedError;

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

/**
 * Looks at a module, whether it is enabled or not: while it is disabled, its guardians can begin a recovery, which goes
 * on when it is enabled again.
 *
 * @returns Undefined if it is nothing to watch.
 */
async function lookAtModule(
  module: Hex,
  account: Hex,
  { isEnabled, isWatched }: { readonly isEnabled: boolean; readonly isWatched: boolean },
  at: ReadAt,
): Promise<ModuleView | undefined> {
  try {
    const pending = await readPending(module, account, at);
    if (pending !== undefined) return described(pending);
    return isEnabled || isWatched ? 'none' : undefined;
  } catch (error) {
    if (!isNoAnswer(error)) throw error;
    // The network does not have this one of the known modules.
    if (!isWatched && error instanceof EmptyAnswerError) return undefined;
    const isOther = !isWatched && recoveryModuleAt(module) === undefined && isOtherContract(error);
    return isOther ? undefined : 'unread';
  }
}

/**
 * Looks at a Safe on a network: whether a recovery has begun through any module that answers like one for recovery, or
 * through a known one that is disabled, and whether its key is still one of its owners.
 *
 * @param watched - The modules that it had before.
 * @throws {ServiceFailedError} If the node does not answer as for a Safe.
 * @throws {ServiceRefusedError} If the node refuses.
 */
export async function lookAtSafe(
  { account, owner }: SafeOnNetwork,
  watched: readonly WatchedModule[],
  at: ReadAt,
): Promise<SafeView> {
  const safe = await readSafe(account, at);
  // A Safe that had a module does not vanish.
  if (safe === undefined && watched.length > 0) throw new ServiceFailedError('The node does not have the account.');
  const [modules, owners] = safe ?? [[], [owner]];
  const enabled = modules.filter((module) => !isSameAddress(module, MODULE_4337)).map(lowerCase);
  const known = watched.map(({ module }) => lowerCase(module));
  const listed = safe === undefined ? [] : RECOVERY_MODULES.map(({ address }) => lowerCase(address));
  const seen = await Promise.all(
    [...new Set([...enabled, ...known, ...listed])].map(async (module) => {
      const which = { isEnabled: enabled.includes(module), isWatched: known.includes(module) };
      return [module, await lookAtModule(module, account, which, at)] as const;
    }),
  );
  return {
    isOwner: isIn(owners, owner),
    modules: new Map(seen.flatMap(([module, view]) => (view === undefined ? [] : [[module, view] as const]))),
  };
}
