import { type CID } from 'multiformats/cid';
import { CommandError } from '../errors';

/** A multihash: the identity of a block in a store, whatever CID version or codec names it. */
export type Multihash = Uint8Array;

/** What a store holds and how healthy it is; sizes in bytes. */
export type StoreStat = {
  readonly blocks: number;
  readonly blockBytes: number;
  /** Bytes the store occupies, the dead ones included. */
  readonly storedBytes: number;
  /** Bytes of segments that sweeps have given back since the store was opened, less those of copies they made. */
  readonly reclaimedBytes: number;
  /** Blocks found damaged since the store was opened. */
  readonly damaged: number;
  readonly path: string;
};

/** The blocks one operation works with. A sweep leaves them alone, and those of operations that end while it runs. */
export type Session = {
  /**
   * Keeps the block, whether it is there yet or not, from the moment the promise resolves: a block that is found after
   * that stays until `end`.
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
 * - `put` resolves once the block can be read back by this process; `commit` resolves once everything put before
 *   the call survives a crash. Nobody may be told "stored" before `commit` resolved.
 * - `get` returns exactly the bytes that were put, `undefined` when the block is absent, and throws
 *   {@link DamagedBlockError} when what is stored is no longer what was put.
 */
export type BlockStore = {
  has(key: Multihash): Promise<boolean>;
  /** Length of the block in bytes, `undefined` when absent. */
  sizeOf(key: Multihash): Promise<number | undefined>;
  get(key: Multihash): Promise<Uint8Array | undefined>;
  /**
   * @param parts the consecutive pieces of the block; they belong to the store until the promise settles.
   * @param crc CRC-32 of the pieces, when the caller has it already.
   */
  put(cid: CID, parts: readonly Uint8Array[], crc?: number): Promise<void>;
  commit(): Promise<void>;
  /**
   * Forgets the block; resolves to whether it was there.
   *
   * @param mayGo finds out whether something needs the block, and rejects then; called once the store remembers what
   * sessions touch, so that what becomes needed later is kept by the session that makes it so.
   * @throws InUseError when a session works with it, or has since the call.
   */
  delete(key: Multihash, mayGo?: () => Promise<void>): Promise<boolean>;
  keys(): AsyncIterable<Multihash>;
  begin(): Session;
  /**
   * Deletes every block that is neither live nor kept by a session, of whatever process, and gives the space back.
   *
   * @param mark finds out what is live; called once the store remembers what sessions touch until the sweep is over, so
   * that what becomes live later is kept by the session that makes it so.
   * @throws CommandError when a sweep is running.
   */
  sweep(mark: () => Promise<IsLive>, progress?: Progress): AsyncIterable<Multihash>;
  /** Reads every block and compares it with its hash; yields the CIDs (raw, version 1) of damaged ones. */
  verify(progress?: Progress): AsyncIterable<CID>;
  stat(): Promise<StoreStat>;
  /** Rejects with the reason when the store cannot take or give blocks now. */
  check(): Promise<void>;
  close(): Promise<void>;
};

/** A block was not removed: a request works with it, and may have found it there. */
export class InUseError extends CommandError {
  constructor() {
    super('in use by another request; try again when that is over');
  }
}

/** The stored bytes of a block are not the bytes that were put. */
export class DamagedBlockError extends Error {
  override readonly name = 'DamagedBlockError';
}

/** The store refuses writes since an earlier write or sync failed (for instance: disk full). */
export class StoreFailedError extends Error {
  override readonly name = 'StoreFailedError';
}
