import { type Kept, KeptStruct, withKept, withoutKept } from '../../../core/ledger/signed/kept';
import { isSameAddress } from '../../../core/eth/address';
import { type Hex } from '../../../core/eth/bytes';
import { type StateStore, StoredList } from '../../wallet/state';

/** What the accounts signed and others can use, the most recent first. */
export class SignedRepository extends StoredList<Kept> {
  /** @param store - A store at the current schema version; see {@link CheckedState}. */
  constructor(store: StateStore) {
    super(store, 'signed', KeptStruct);
  }

  /**
   * @param now - Seconds since 1970.
   * @throws {StateError} If the state cannot be read or written.
   */
  async add(added: readonly Kept[], now: bigint): Promise<void> {
    await this.change((before) => added.reduceRight((kept, one) => withKept(kept, one, now), before));
  }

  async remove(one: Kept): Promise<void> {
    await this.change((kept) => withoutKept(kept, one));
  }

  /** Notes what a node said of a signature: that it was used or cancelled, or that it still counts. */
  async note(account: Hex, hash: Hex, goneAt: string | undefined): Promise<void> {
    const isOther = (one: Kept): boolean => one.hash !== hash || !isSameAddress(one.account, account);
    await this.change((kept) =>
      kept.every((one) => isOther(one) || one.goneAt === goneAt)
        ? kept
        : kept.map((one) => {
            if (isOther(one)) return one;
            const { goneAt: _before, ...rest } = one;
            return goneAt === undefined ? rest : { ...rest, goneAt };
          }),
    );
  }

  /** Drops those of a deleted account. */
  async forget(account: Hex): Promise<void> {
    await this.change((kept) => {
      const left = kept.filter((one) => !isSameAddress(one.account, account));
      return left.length === kept.length ? kept : left;
    });
  }
}
