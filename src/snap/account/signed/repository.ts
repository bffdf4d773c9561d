import { boundBy, isSameKept, type Kept, KeptStruct, withKept, withoutKept } from '../../../core/ledger/signed/kept';
import { isIn, isSameAddress } from '../../../core/eth/address';
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
   * @returns Whether all of them were listed before.
   * @throws {StateError} If the state cannot be read or written.
   */
  async add(added: readonly Kept[], now: bigint): Promise<boolean> {
    let isKnown = false;
    await this.change((before) => {
      isKnown = added.every((one) => before.some((other) => isSameKept(one, other)));
      return added.reduceRight((kept, one) => withKept(kept, one, now), before);
    });
    return isKnown;
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

  /**
   * Drops those of a deleted account.
   *
   * @param others - Reads the accounts that are left. What concerns one of them stays.
   */
  async forget(account: Hex, others: () => Promise<readonly Hex[]> = () => Promise.resolve([])): Promise<void> {
    const concerns = (one: Kept, of: readonly Hex[]): boolean => isIn(of, one.account) || isIn(of, boundBy(one));
    const isShared = (await this.read()).some(
      (one) => concerns(one, [account]) && !isSameAddress(one.account, boundBy(one)),
    );
    const left = isShared ? await others() : [];
    await this.change((kept) => {
      const stays = kept.filter((one) => !concerns(one, [account]) || concerns(one, left));
      return stays.length === kept.length ? kept : stays;
    });
  }
}
