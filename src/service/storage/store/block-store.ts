import { type Charge } from '../../admission/charge';
import { CommandError } from '../errors';
import { matchesKey } from './hashes';

/** A multihash: identifies a block in a store, whatever CID version or codec refers to it. */
export type Multihash = Uint8Array;

/** A multihash as a map key. */
export const keyText = (key: Multihash): string =>
  Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');

/** No hash function makes a longer multihash, so no block has one; and it would not fit the name of a file. */
const MOST_KEY_BYTES = 128;

/** Whether a store can have a block of this key. */
export const isStorable = (key: Multihash): boolean => key.length <= MOST_KEY_BYTES;

/** How many blocks a store holds, and their bytes. */
export type StoreStat = { readonly blocks: number; readonly blockBytes: number };

/** The blocks that one request uses: they stay until it ends, and with what it has pinned by then. */
export type Session = {
  /** Like {@link BlockStore.put}. */
  readonly put: (key: Multihash, bytes: Uint8Array) => Promise<void>;
  /** Keeps a block that exists, so that the request can pin it: a block that is found after that stays. */
  readonly keep: (key: Multihash, charge: Charge) => Promise<void>;
  readonly end: () => void;
};

/** Whether something needs the block. */
export type IsLive = (key: Multihash) => boolean;

/** Progress of a long job over the store. */
export type Progress = (done: number, total: number) => void;

/**
 * A store of blocks by multihash. Every implementation passes `test/service/storage/store/store.suite.ts`.
 *
 * - `put` resolves once the block can be read back by this process; `commit` resolves once everything put before the
 *   call survives a crash. A client may be told "stored" only after `commit` has resolved.
 * - `get` returns the bytes that were put, and `undefined` if the block is absent. A store that checks what it reads
 *   throws {@link DamagedBlockError} if they no longer match; putting the block again repairs it.
 */
export type BlockStore = {
  has(key: Multihash): Promise<boolean>;
  /** @param charge for comparing the block with its hash. */
  get(key: Multihash, charge: Charge): Promise<Uint8Array | undefined>;
  /** @param bytes belong to the store until the promise settles. */
  put(key: Multihash, bytes: Uint8Array): Promise<void>;
  commit(): Promise<void>;
  /**
   * Forgets the block; resolves to whether it existed.
   *
   * @param mayGo checks whether something needs the block, and rejects then.
   * @throws InUseError if a request is using it, or has used it since the call.
   */
  delete(key: Multihash, mayGo?: () => Promise<void>): Promise<boolean>;
  keys(): AsyncIterable<Multihash>;
  /** @param onKey called for each key that the session remembers until it ends; throwing refuses the block. */
  begin(onKey?: () => void): Session;
  /**
   * Deletes every block that is neither live nor used by a request. Yields their keys.
   *
   * @param mark determines what is live; a block that becomes live later is kept by the request that needs it.
   * @param progress needs the number of blocks, for which a bucket is listed once more.
   * @param onBlock called for each block that is looked at; throwing ends the sweep.
   * @throws CommandError if a sweep of this process is already running.
   */
  sweep(mark: () => Promise<IsLive>, progress?: Progress, onBlock?: () => void): AsyncIterable<Multihash>;
  stat(): Promise<StoreStat>;
  /** Rejects with the reason if the store cannot be used now. */
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

/** Reads every block of a store and checks its hash; yields the keys of damaged ones. */
export async function* damagedBlocks(
  store: BlockStore,
  charge: Charge,
  progress?: Progress,
): AsyncGenerator<Multihash> {
  const { blocks } = await store.stat();
  let done = 0;
  for await (const key of store.keys()) {
    progress?.(Math.min(++done, blocks), blocks);
    const isDamaged = await store.get(key, charge).then(
      async (bytes) => bytes !== undefined && !(await matchesKey(key, bytes, charge)),
      (error: unknown) => {
        if (error instanceof DamagedBlockError) return true;
        throw error;
      },
    );
    if (isDamaged) yield key;
  }
}
