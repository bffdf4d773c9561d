import { isSameAddress } from '../../../core/eth/address';
import { type Hex } from '../../../core/eth/bytes';
import { Mutex } from '../../../core/mutex';
import { AddressStruct } from '../../../core/schemas/address';
import { BEGUN_RECOVERY } from '../../../core/schemas/begun-recovery';
import { ChainNameStruct } from '../../../core/schemas/chain';
import { array, enums, exactOptional, type Infer, integer, object, string, union } from '../../../core/structs/struct';
import { type StateStore, StoredList } from '../../wallet/state';

const place = {
  account: AddressStruct,
  chainId: ChainNameStruct,
  /** What the person was told in a dialog of its own; see {@link isAnnounced}. */
  announced: exactOptional(string()),
};

/** A module through which guardians can recover an account on a network, and the recovery that has begun there. */
const WatchedModuleStruct = object({
  ...place,
  module: AddressStruct,
  pending: exactOptional(object(BEGUN_RECOVERY)),
});
export type WatchedModule = Infer<typeof WatchedModuleStruct>;

/**
 * What else is to be said of an account on a network: `unseen`, nodes did not say whether a recovery has begun; `lost`,
 * its key is not one of its owners any more; `cancelled`, a recovery ended and its key is still an owner; `disputed`,
 * the nodes of the network contradict each other.
 */
const NoticeStruct = object({
  ...place,
  /** The module that it is about; absent if it is about the whole account. */
  module: exactOptional(AddressStruct),
  notice: enums(['unseen', 'lost', 'cancelled', 'disputed']),
  /**
   * The hosts of the nodes that say so; of a dispute, of those that warn; of `unseen`, of those that did not answer.
   * Earlier versions did not store them.
   */
  nodes: exactOptional(array(string())),
  /** Of a dispute, the hosts of the nodes that deny what others warn of; absent if all warn, of different things. */
  others: exactOptional(array(string())),
  /** When a recovery was seen to have ended, in milliseconds since 1970. */
  at: exactOptional(integer()),
});
export type Notice = Infer<typeof NoticeStruct>;

const RecoveryEntryStruct = union([WatchedModuleStruct, NoticeStruct]);
export type RecoveryEntry = Infer<typeof RecoveryEntryStruct>;
export const RecoveryEntriesStruct = array(RecoveryEntryStruct);

/** A recovery that has begun. */
export type Alarm = WatchedModule & { readonly pending: NonNullable<WatchedModule['pending']> };

/** @returns Whether the entry is a notice. */
export const isNotice = (entry: RecoveryEntry): entry is Notice => 'notice' in entry;

/** @returns Whether the entry is about a module. */
export const isModule = (entry: RecoveryEntry): entry is WatchedModule => !isNotice(entry);

/** @returns Whether a recovery through the module has begun. */
export const isAlarm = (entry: RecoveryEntry): entry is Alarm => isModule(entry) && entry.pending !== undefined;

/**
 * @returns What a dialog of its own says of it: which recovery, or what happened; undefined if it needs none. That a
 * recovery has ended is never a reason for one: a node that lies would reassure with it.
 */
export const newsOf = (entry: RecoveryEntry): string | undefined => {
  if (!isNotice(entry)) return entry.pending?.executeAfter;
  return entry.notice === 'lost' || entry.notice === 'disputed' ? entry.notice : undefined;
};

/** @returns Whether the person has seen a dialog that was only about this. */
export const isAnnounced = (entry: RecoveryEntry): boolean => entry.announced === newsOf(entry);

/** What is known of recoveries of accounts, as the networks had it last. Unreadable entries are dropped. */
export class RecoveryRepository {
  readonly #entries: StoredList<RecoveryEntry>;
  /** When all networks of an account last answered since the snap was started, in milliseconds since 1970. */
  readonly lookedAt = new Map<string, number>();
  /** One look at the networks after another: a slow one must not store what was before a quicker one. */
  readonly looks = new Mutex();

  /** @param store - A store at the current schema version; see {@link CheckedState}. */
  constructor(store: StateStore) {
    this.#entries = new StoredList(store, 'recoveries', RecoveryEntryStruct);
  }

  list(): Promise<readonly RecoveryEntry[]> {
    return this.#entries.read();
  }

  /** @returns What is known of one account. */
  async of(account: Hex): Promise<readonly RecoveryEntry[]> {
    return (await this.list()).filter((one) => isSameAddress(one.account, account));
  }

  /**
   * Replaces all entries, unless they are the same; stores nothing instead of an empty list. Must be called with the
   * lock on stored values.
   */
  async change(change: (before: readonly RecoveryEntry[]) => readonly RecoveryEntry[]): Promise<void> {
    const before = await this.list();
    const after = [...change(before)];
    if (JSON.stringify(after) === JSON.stringify(before)) return;
    await this.#entries.write(after, after.length === 0 ? null : after);
  }
}
