import { type Places } from '../../runtime/places';
import { type Turns } from '../../runtime/turns';
import { type BlockStore } from '../store/block-store';
import { type PinStore } from '../store/pin-store';
import { type GarbageCollector } from './garbage';
import { type Limits } from './limits';
import { type Rooms } from './room';

/** The stored blocks, and within which limits they are read. */
export type ReadableContent = {
  readonly store: BlockStore;
  readonly limits: Limits;
  /** In which requests go on that take long. */
  readonly turns: Turns;
  /** The blocks that each client is reading. */
  readonly reads: Places;
  /** The memory of each client. */
  readonly rooms: Rooms;
};

/** What is stored. */
export type StoredContent = ReadableContent & {
  readonly pins: PinStore;
  readonly garbage: GarbageCollector;
};
