import { isSameAddress } from '../../../core/eth/address';
import { type Hex } from '../../../core/eth/bytes';
import { type ChainName } from '../../../core/schemas/chain';
import { type AddedDelegate, AddedDelegateStruct } from '../../../core/schemas/delegate';
import { type StateStore, StoredList } from '../../wallet/state';

type DelegateId = Pick<AddedDelegate, 'chainId' | 'address'>;

const isAt =
  (id: DelegateId) =>
  ({ chainId, address }: DelegateId): boolean =>
    chainId === id.chainId && isSameAddress(address, id.address);

/** The contracts that the person added to those which accounts may delegate to. Unreadable entries are dropped. */
export class DelegateRepository extends StoredList<AddedDelegate> {
  /** @param store - A store at the current schema version; see {@link CheckedState}. */
  constructor(store: StateStore) {
    super(store, 'delegates', AddedDelegateStruct);
  }

  async find(chainId: ChainName, address: Hex): Promise<AddedDelegate | undefined> {
    return (await this.read()).find(isAt({ chainId, address }));
  }

  async put(delegate: AddedDelegate): Promise<void> {
    const isReplaced = isAt(delegate);
    await this.change((all) => [...all.filter((entry) => !isReplaced(entry)), delegate]);
  }

  async remove(chainId: ChainName, address: Hex): Promise<void> {
    const isRemoved = isAt({ chainId, address });
    await this.change((all) => all.filter((entry) => !isRemoved(entry)));
  }
}
