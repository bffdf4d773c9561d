import { isSameAddress } from '../../../core/eth/address';
import { type Hex } from '../../../core/eth/bytes';
import { type AskedMessage } from '../../../core/methods/results';
import { AddressStruct } from '../../../core/schemas/address';
import { ChainNameStruct } from '../../../core/schemas/chain';
import { BytesStruct, bytesStruct } from '../../../core/structs/hex';
import { exactOptional, integer, nullable, object, string, type Struct } from '../../../core/structs/struct';
import { TypedDataStruct } from '../../../core/schemas/typed-data';
import { type StateStore, StoredList } from '../../wallet/state';

/** An {@link AskedMessage} in the state. */
export const AskedMessageStruct: Struct<AskedMessage> = object({
  account: AddressStruct,
  chainId: ChainNameStruct,
  origin: string(),
  at: integer(0),
  hash: bytesStruct(32),
  message: exactOptional(BytesStruct),
  typedData: exactOptional(TypedDataStruct),
  signature: bytesStruct(65),
  answer: exactOptional(nullable(BytesStruct)),
});

/** The maximum number of messages. The oldest are dropped first. */
const MAX_MESSAGES = 20;

/** What tells a message from others: two sites may ask for the same one. */
type Asked = Pick<AskedMessage, 'origin' | 'hash'>;

const isOther =
  ({ origin, hash }: Asked) =>
  (one: AskedMessage): boolean =>
    one.origin !== origin || one.hash !== hash;

/** The messages that wait for other owners, the oldest first. */
export class MessageRepository extends StoredList<AskedMessage> {
  /** @param store - A store at the current schema version; see {@link CheckedState}. */
  constructor(store: StateStore) {
    super(store, 'messages', AskedMessageStruct);
  }

  async find(asked: Asked): Promise<AskedMessage | undefined> {
    return (await this.read()).find((one) => !isOther(asked)(one));
  }

  /** Adds a message, or takes the place of the same one. */
  put(message: AskedMessage): Promise<void> {
    return this.change((all) => [...all.filter(isOther(message)), message].slice(-MAX_MESSAGES));
  }

  /** Keeps the answer to a message that still waits, or drops an earlier one. Never brings a message back. */
  answer(asked: Asked, answer?: Hex | null): Promise<void> {
    return this.change((all) =>
      all.map((one) => {
        if (isOther(asked)(one)) return one;
        const { answer: _before, ...rest } = one;
        return answer === undefined ? rest : { ...rest, answer };
      }),
    );
  }

  remove(asked: Asked): Promise<void> {
    return this.change((all) => all.filter(isOther(asked)));
  }

  /** Drops those of a deleted account. */
  forget(account: Hex): Promise<void> {
    return this.change((all) =>
      all.some((one) => isSameAddress(one.account, account))
        ? all.filter((one) => !isSameAddress(one.account, account))
        : all,
    );
  }
}
