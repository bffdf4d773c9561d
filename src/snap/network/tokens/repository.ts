import { type DeclaredToken } from '../../../core/decode/effects/outcome';
import { isSameAddress } from '../../../core/eth/address';
import { type Hex } from '../../../core/eth/bytes';
import { AddressStruct } from '../../../core/schemas/address';
import { chainIdOf, type ChainName, ChainNameStruct } from '../../../core/schemas/chain';
import { array, type Infer, integer, object, string } from '../../../core/structs/struct';
import { type StateStore, StoredList } from '../../wallet/state';

/** The maximum number of watched tokens. The oldest are dropped first. */
const MAX_TOKENS = 200;

/** A token that the user watches, with what its contract said of itself when it was added. */
export const WatchedTokenStruct = object({
  chainId: ChainNameStruct,
  address: AddressStruct,
  symbol: string(),
  decimals: integer(0, 255),
});
export const WatchedTokensStruct = array(WatchedTokenStruct);
export type WatchedToken = Infer<typeof WatchedTokenStruct>;

const isAt = (chainId: bigint, address: Hex) => (token: WatchedToken) =>
  chainIdOf(token.chainId) === chainId && isSameAddress(token.address, address);

/** The watched tokens, the oldest first. Unreadable entries are dropped. */
export class TokenRepository extends StoredList<WatchedToken> {
  /** @param store - A store at the current schema version; see {@link CheckedState}. */
  constructor(store: StateStore) {
    super(store, 'tokens', WatchedTokenStruct);
  }

  /** @returns What the contract said of itself, if the token is watched. */
  async find(chainId: bigint, address: Hex): Promise<DeclaredToken | undefined> {
    const found = (await this.read()).find(isAt(chainId, address));
    return found && { symbol: found.symbol, decimals: found.decimals };
  }

  /** Adds a token, or replaces what is stored of it. */
  put(chainId: ChainName, address: Hex, { symbol, decimals }: DeclaredToken): Promise<void> {
    const isThis = isAt(chainIdOf(chainId), address);
    const added = { chainId, address, symbol, decimals };
    return this.change((all) => [...all.filter((token) => !isThis(token)), added].slice(-MAX_TOKENS));
  }

  /** Removing a token that is not watched is not an error. */
  async remove(chainId: bigint, address: Hex): Promise<void> {
    const isThis = isAt(chainId, address);
    await this.change((all) => (all.some(isThis) ? all.filter((token) => !isThis(token)) : all));
  }
}
