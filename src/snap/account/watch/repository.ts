import { isSameAddress } from '../../../core/eth/address';
import { type Hex, lowerCase } from '../../../core/eth/bytes';
import { type ChainName } from '../../../core/schemas/chain';
import { type Change, changesBetween } from '../../../core/watch/changes';
import { type WatchedState } from '../../../core/watch/state';
import { type Watched, WatchedStruct } from '../../../core/watch/watched';
import { type StateStore, StoredList } from '../../wallet/state';

/** Each costs one request or two an hour. */
export const MAX_WATCHED = 10;
/**
 * Changes of an account that the person has not seen yet. The oldest are dropped first, and of many at once the least
 * grave. They are counted.
 */
const MAX_CHANGES = 20;

const isAt = (account: Hex, chainId: ChainName) => (one: Watched) =>
  isSameAddress(one.account, account) && one.chainId === chainId;

/** The accounts that are watched, in the order in which they were added. The only one that writes them. */
export class WatchRepository extends StoredList<Watched> {
  /** @param store - One that can be read while the wallet is locked. */
  constructor(store: StateStore) {
    super(store, 'watched', WatchedStruct);
  }

  /**
   * Begins to watch an account, unless it is watched.
   *
   * @param at - Milliseconds since 1970.
   * @returns Whether it is watched now; false if there are too many.
   */
  async add(account: Hex, chainId: ChainName, state: WatchedState, at: number): Promise<boolean> {
    await this.change((all) =>
      all.some(isAt(account, chainId)) || all.length >= MAX_WATCHED
        ? all
        : [...all, { account: lowerCase(account), chainId, state, seenAt: at, noticed: [], dropped: 0 }],
    );
    return (await this.read()).some(isAt(account, chainId));
  }

  /**
   * Records what was seen of an account.
   *
   * @param at - Milliseconds since 1970.
   * @returns What is new since it was seen last; nothing if it is not watched any more.
   */
  async see(account: Hex, chainId: ChainName, state: WatchedState, at: number): Promise<readonly Change[]> {
    let changes: readonly Change[] = [];
    await this.#change(account, chainId, (one) => {
      changes = changesBetween(one.state, state);
      // Of those at once, the first ones are the gravest.
      const added = changes.slice(0, MAX_CHANGES).map((change) => ({ change, at }));
      const noticed = [...one.noticed, ...added].slice(-MAX_CHANGES);
      const dropped = one.dropped + one.noticed.length + changes.length - noticed.length;
      return { ...one, state, seenAt: at, noticed, dropped };
    });
    return changes;
  }

  /** The person has seen the changes up to a time, in milliseconds since 1970: later ones stay. */
  acknowledge(account: Hex, chainId: ChainName, until: number): Promise<void> {
    return this.#change(account, chainId, (one) => ({
      ...one,
      noticed: one.noticed.filter(({ at }) => at > until),
      dropped: 0,
    }));
  }

  /** Stops watching an account. */
  async remove(account: Hex, chainId: ChainName): Promise<void> {
    const isThis = isAt(account, chainId);
    await this.change((all) => all.filter((one) => !isThis(one)));
  }

  async #change(account: Hex, chainId: ChainName, change: (one: Watched) => Watched): Promise<void> {
    const isThis = isAt(account, chainId);
    await this.change((all) => (all.some(isThis) ? all.map((one) => (isThis(one) ? change(one) : one)) : all));
  }
}
