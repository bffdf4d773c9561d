import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { AddressStruct } from '../../core/schemas/address';
import { ChainNameStruct } from '../../core/schemas/chain';
import { Uint256Struct } from '../../core/schemas/hex';
import { array, exactOptional, type Infer, integer, object } from '../../core/schemas/struct';
import { type StateStore } from '../platform/state';
import { Remembered } from '../storage/remembered';

/** A module through which guardians can recover an account on a network, and the recovery that has begun there. */
const WatchedModuleStruct = object({
  account: AddressStruct,
  chainId: ChainNameStruct,
  module: AddressStruct,
  /** The recovery that the person was told of in a dialog of its own: its `executeAfter`. */
  announced: exactOptional(Uint256Struct),
  pending: exactOptional(
    object({
      /** The first of the new owners, and how many more there are. */
      newOwners: array(AddressStruct),
      more: integer(0),
      newThreshold: Uint256Struct,
      /** Seconds since 1970, in hex. */
      executeAfter: Uint256Struct,
    }),
  ),
});
export const WatchedModulesStruct = array(WatchedModuleStruct);
export type WatchedModule = Infer<typeof WatchedModuleStruct>;

/** A recovery that has begun. */
export type Alarm = WatchedModule & { readonly pending: NonNullable<WatchedModule['pending']> };

/** @returns Whether a recovery through the module has begun. */
export const isAlarm = (watched: WatchedModule): watched is Alarm => watched.pending !== undefined;

/** @returns Whether the person has seen a dialog that was only about this recovery. */
export const isAnnounced = ({ announced, pending }: Alarm): boolean => announced === pending.executeAfter;

/** The recovery modules of accounts, as the networks had them last. Unreadable entries are dropped. */
export class RecoveryRepository {
  readonly #store: StateStore;
  readonly #stored = new Remembered<readonly WatchedModule[]>();
  /** When an account's modules were last looked at since the snap was started, in milliseconds since 1970. */
  readonly lookedAt = new Map<string, number>();

  /** @param store - A store at the current schema version; see `versionedState`. */
  constructor(store: StateStore) {
    this.#store = store;
  }

  list(): Promise<readonly WatchedModule[]> {
    return this.#stored.get(async () => {
      const stored = await this.#store.read('recoveries');
      return Array.isArray(stored)
        ? stored.filter((entry): entry is WatchedModule => WatchedModuleStruct.is(entry))
        : [];
    });
  }

  /** @returns The modules of one account. */
  async of(account: Hex): Promise<readonly WatchedModule[]> {
    return (await this.list()).filter((one) => isSameAddress(one.account, account));
  }

  /** Replaces all entries, unless they are the same. Must be called with the lock on stored values. */
  async change(change: (before: readonly WatchedModule[]) => readonly WatchedModule[]): Promise<void> {
    const before = await this.list();
    const after = [...change(before)];
    if (JSON.stringify(after) === JSON.stringify(before)) return;
    await this.#stored.set(after, () => this.#store.write('recoveries', after));
  }
}
