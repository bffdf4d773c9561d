import { type Json } from '@metamask/snaps-sdk';

import { type DeclaredToken } from '../../core/decode/effects/outcome';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { AddressStruct } from '../../core/schemas/address';
import { chainIdOf, type ChainName, ChainNameStruct } from '../../core/schemas/chain';
import { array, type Infer, integer, object, string } from '../../core/schemas/struct';
import { Mutex } from '../platform/mutex';
import { type StateStore } from '../platform/state';
import { Remembered } from '../storage/remembered';

/** The maximum number of watched tokens. The oldest are dropped first. */
const MAX_TOKENS = 200;

/** A token that the user watches, with what its contract said of itself when it was added. */
const WatchedTokenStruct = object({
  chainId: ChainNameStruct,
  address: AddressStruct,
  symbol: string(),
  decimals: integer(0, 255),
});
export const WatchedTokensStruct = array(WatchedTokenStruct);
export type WatchedToken = Infer<typeof WatchedTokenStruct>;

const isAt = (chainId: bigint, address: Hex) => (token: WatchedToken) =>
  chainIdOf(token.chainId) === chainId && isSameAddress(token.address, address);

/** The watched tokens, the oldest first. Unreadable entries are dropped. They are not in backups. */
export class TokenRepository {
  readonly #store: StateStore;
  readonly #stored = new Remembered<readonly WatchedToken[]>();
  readonly #writing = new Mutex();

  /** @param store - A store at the current schema version; see `versionedState`. */
  constructor(store: StateStore) {
    this.#store = store;
  }

  list(): Promise<readonly WatchedToken[]> {
    return this.#stored.get(async () => {
      const stored = await this.#store.read('tokens');
      return Array.isArray(stored)
        ? stored.filter((entry): entry is Json & WatchedToken => WatchedTokenStruct.is(entry))
        : [];
    });
  }

  /** @returns What the contract said of itself, if the token is watched. */
  async find(chainId: bigint, address: Hex): Promise<DeclaredToken | undefined> {
    const found = (await this.list()).find(isAt(chainId, address));
    return found && { symbol: found.symbol, decimals: found.decimals };
  }

  /** Adds a token, or replaces what is stored of it. */
  put(chainId: ChainName, address: Hex, { symbol, decimals }: DeclaredToken): Promise<void> {
    const added = { chainId, address, symbol, decimals };
    return this.#change(chainIdOf(chainId), address, (others) => [...others, added].slice(-MAX_TOKENS));
  }

  /** Removing a token that is not watched is not an error. */
  async remove(chainId: bigint, address: Hex): Promise<void> {
    if ((await this.find(chainId, address)) !== undefined) await this.#change(chainId, address, (others) => others);
  }

  async #change(
    chainId: bigint,
    address: Hex,
    change: (others: readonly WatchedToken[]) => readonly WatchedToken[],
  ): Promise<void> {
    const isThis = isAt(chainId, address);
    await this.#writing.runExclusive(async () => {
      const after = [...change((await this.list()).filter((token) => !isThis(token)))];
      await this.#stored.set(after, () => this.#store.write('tokens', after));
    });
  }
}
