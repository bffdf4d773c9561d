import { type KeyringDeps } from '../accounts/deps';
import { type Ask, type Tell } from '../platform/dialogs';
import { type BatchRepository } from '../batches/repository';
import { type Turns } from './request-queue';

/** What the methods of the dapp door work with. `context.ts` makes it. */
export type DoorDeps = KeyringDeps & {
  readonly batches: BatchRepository;
  readonly turns: Turns;
  readonly ask: Ask;
  readonly tell: Tell;
  /** @returns Whether the wallet is locked: to read what is stored would ask the person to unlock it. */
  readonly isLocked: () => Promise<boolean>;
  /** Has a locked wallet ask the person to unlock it. */
  readonly unlock: () => Promise<unknown>;
  /**
   * Has the batches that wait looked up again after so many seconds, or before. Never fails: they are looked up on
   * request, too.
   */
  readonly lookAgainLater: (seconds: number) => Promise<void>;
};

/** The same, for one request of a web page. */
export type Visit = DoorDeps & { readonly origin: string };
