import { AddressStruct } from '../schemas/address';
import { ChainNameStruct } from '../schemas/chain';
import { array, type Infer, integer, object } from '../structs/struct';
import { ChangeStruct } from './changes';
import { WatchedStateStruct } from './state';

/** A change, and when it was noticed, in milliseconds since 1970. */
const NoticedStruct = object({ change: ChangeStruct, at: integer(0) });
export type Noticed = Infer<typeof NoticedStruct>;

/** An account on a network that is watched. Nothing here says whose it is, or why. */
export const WatchedStruct = object({
  /** In lower case. */
  account: AddressStruct,
  chainId: ChainNameStruct,
  state: WatchedStateStruct,
  /** When that was so, in milliseconds since 1970. */
  seenAt: integer(0),
  /** What changed and was not acknowledged, the oldest first. */
  noticed: array(NoticedStruct),
  /** How many older changes are not listed. */
  dropped: integer(0),
});
export type Watched = Infer<typeof WatchedStruct>;
