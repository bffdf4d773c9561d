import { type CID } from 'multiformats/cid';
import { CommandError } from '../errors';

/** A multihash: identifies a block in a store, whatever CID version or codec refers to it. */
export type Multihash = Uint8Array;

/** What a store holds and its health; sizes in bytes. */
export type StoreStat = {
  readonly blocks: number;
  readonly blockBytes: number;
  /** Bytes that the store occupies, including dead ones. */
  readonly storedBytes: number;
  /** Bytes of segments that sweeps have freed since the store was opened, minus the copies they made. */
  readonly reclaimedBytes: number;
  /** Blocks found damaged since the store was opened. */
  readonly damaged: number;
  readonly path: string;
};

/** The blocks that one operation uses. A sweep keeps them, and those of operations that end while it runs. */
export type Session = {
  /**
   * Keeps the block, whether it exists yet or not, from the moment the promise resolves: a block found after that stays
   * until `end`.
   */
  readonly touch: (key: Multihash) => Promise<void>;
  readonly end: () => Promise<void>;
};

/** Whether something needs the block. */
export type IsLive = (key: Multihash) => boolean;

/** Progress of a long job over the store. */
export type Progress = (done: number, total: number) => void;

/**
 * A store of blocks by multihash. Every implementation passes `test/storage/store.suite.ts`.
 *
 * - `put` resolves once the block can be read back by this process; `commit` resolves once everything put before the
 *   call survives a crash. A client may be told "stored" only after `commit` has resolved.
 * - `get` returns exactly the bytes that were put, `undefined` if the block is absent, and throws {@link
 *   DamagedBlockError} if the stored bytes no longer match.
 */
export type BlockStore = {
  has(key: Multihash): Promise<boolean>;
  /** Length of the block in bytes, `undefined` if absent. */
  sizeOf(key: Multihash): Promise<number | undefined>;
  get(key: Multihash): Promise<Uint8Array | undefined>;
  /** @param parts the consecutive pieces of the block; they belong to the store until the promise settles. */
  put(cid: CID, parts: readonly Uint8Array[]): Promise<void>;
  commit(): Promise<void>;
  /**
   * Forgets the block; resolves to whether it existed.
   *
   * @param mayGo checks whether something needs the block, and rejects then; called once the store tracks the blocks
   * that sessions touch, so that a block that becomes needed later is kept by that session.
   * @throws InUseError if a session is using it, or has used it since the call.
   */
  delete(key: Multihash, mayGo?: () => Promise<void>): Promise<boolean>;
  keys(): AsyncIterable<Multihash>;
  begin(): Session;
  /**
   * Deletes every block that is neither live nor kept by a session of any process, and frees the space.
   *
   * @param mark determines what is live; called once the store tracks touched blocks until the sweep ends, so that a
   * block that becomes live later is kept by that session.
   * @throws CommandError if a sweep is already running.
   */
  sweep(mark: () => Promise<IsLive>, progress?: Progress): AsyncIterable<Multihash>;
  /** Reads every block and checks its hash; yields the CIDs (raw, version 1) of damaged ones. */
  verify(progress?: Progress): AsyncIterable<CID>;
  stat(): Promise<StoreStat>;
  /** Rejects with the reason if the store cannot read or write blocks now. */
  check(): Promise<void>;
  close(): Promise<void>;
};

/** A block was not removed, because a request is using it and may have found it there. */
export class InUseError extends CommandError {
  constructor() {
    super('in use by another request; try again once it has finished');
  }
}

/** The stored bytes of a block differ from the bytes that were put. */
export class DamagedBlockError extends Error {
  override readonly name = 'DamagedBlockError';
}

/** The store refuses writes because an earlier write or sync failed (for instance: disk full). */
export class StoreFailedError extends Error {
  override readonly name = 'StoreFailedError';
}
