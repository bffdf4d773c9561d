import { type Json } from '@metamask/snaps-sdk';

import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { type ChainName } from '../../core/schemas/chain';
import { type AddedDelegate, AddedDelegateStruct } from '../../core/schemas/delegate';
import { type StateStore } from '../platform/state';
import { Remembered } from '../storage/remembered';

type Place = Pick<AddedDelegate, 'chainId' | 'address'>;

const isAt =
  (place: Place) =>
  ({ chainId, address }: Place): boolean =>
    chainId === place.chainId && isSameAddress(address, place.address);

/** The contracts that the person added to those which accounts may delegate to. Unreadable entries are dropped. */
export class DelegateRepository {
  readonly #store: StateStore;
  readonly #stored = new Remembered<readonly AddedDelegate[]>();

  /** @param store - A store at the current schema version; see `versionedState`. */
  constructor(store: StateStore) {
    this.#store = store;
  }

  list(): Promise<readonly AddedDelegate[]> {
    return this.#stored.get(async () => {
      const stored = await this.#store.read('delegates');
      return Array.isArray(stored)
        ? stored.filter((entry): entry is Json & AddedDelegate => AddedDelegateStruct.is(entry))
        : [];
    });
  }

  async find(chainId: ChainName, address: Hex): Promise<AddedDelegate | undefined> {
    return (await this.list()).find(isAt({ chainId, address }));
  }

  /** Must be called with the lock on stored values. */
  async put(delegate: AddedDelegate): Promise<void> {
    const isReplaced = isAt(delegate);
    await this.#write([...(await this.list()).filter((entry) => !isReplaced(entry)), delegate]);
  }

  /** Must be called with the lock on stored values. */
  async remove(chainId: ChainName, address: Hex): Promise<void> {
    const isRemoved = isAt({ chainId, address });
    await this.#write((await this.list()).filter((entry) => !isRemoved(entry)));
  }

  async #write(delegates: readonly AddedDelegate[]): Promise<void> {
    await this.#stored.set(delegates, () => this.#store.write('delegates', [...delegates]));
  }
}
