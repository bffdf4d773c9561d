import { type CanaryResult } from './canary';
import { type Permission } from './permissions';
import { type BlockRange } from './searched';
import { type NamedToken } from './words';

/** A screen shows no more permissions. */
export const MAX_SHOWN = 20;

/** What a search found, and what it rests on, for a screen that shows a part of it. */
export type Found = {
  readonly node: string;
  readonly searched: readonly BlockRange[];
  /** The words of a node that does not search further back. */
  readonly refusal: string | undefined;
  /** How many requests the blocks take that were not searched; 0 if there are none. */
  readonly requestsLeft: number;
  readonly canary: CanaryResult;
  /** Those of listed tokens first, which nobody else can log; then what puts most at risk. */
  readonly permissions: readonly Permission[];
  /** The first one that is shown. */
  readonly from: number;
  /** Contracts that did not say what they allow. */
  readonly unread: number;
  /** At least so many permissions that events speak of were not looked at, because there are too many. */
  readonly leftOut: number;
  /** By lower-case address: of the permissions that are shown. */
  readonly tokens: Readonly<Record<string, NamedToken>>;
};
