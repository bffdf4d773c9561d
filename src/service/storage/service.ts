import { type Turns } from '../runtime/turns';
import { type BlockStore } from './blocks/store';
import { type GarbageCollector } from './garbage';
import { type Identity } from './identity';
import { type Limits } from './limits';
import { type PinStore } from './pins/pin-store';

/** What the commands work on. */
export type StorageService = {
  readonly store: BlockStore;
  readonly pins: PinStore;
  readonly garbage: GarbageCollector;
  readonly limits: Limits;
  /** In which requests go on that take long. */
  readonly turns: Turns;
  readonly identity: Identity;
  /** Whether the tenant may use commands that affect everyone's blocks (`block/rm`, `repo/gc`, `refs/local`). */
  readonly isOperator: (tenant: string) => boolean | Promise<boolean>;
};
