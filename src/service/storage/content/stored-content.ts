import { type BlockStore } from '../store/block-store';
import { type PinStore } from '../store/pin-store';
import { type GarbageCollector } from './garbage';
import { type Limits } from './limits';

/** The stored blocks, and within which limits they are read. */
export type ReadableContent = {
  readonly store: BlockStore;
  readonly limits: Limits;
};

/** What is stored. */
export type StoredContent = ReadableContent & {
  readonly pins: PinStore;
  readonly garbage: GarbageCollector;
};
