import { type Turns } from '../../runtime/turns';
import { type BlockStore } from '../store/block-store';
import { type PinStore } from '../store/pin-store';
import { type GarbageCollector } from './garbage';
import { type Limits } from './limits';

/** What is stored, and within which limits it is read. */
export type StoredContent = {
  readonly store: BlockStore;
  readonly pins: PinStore;
  readonly garbage: GarbageCollector;
  readonly limits: Limits;
  /** In which requests go on that take long. */
  readonly turns: Turns;
};
