import { type CID } from 'multiformats/cid';
import { type BlockStore, DamagedBlockError } from '../store/block-store';
import { type Cancellation } from './cancellation';
import { CommandError } from '../errors';
import { IDENTITY } from '../store/hashes';
import { type Charge } from '../../admission/charge';
import { hasLinks } from './codecs';

/** The block is not in the store. */
export class NotFoundError extends CommandError {
  constructor(cid: CID) {
    super(`block was not found locally (offline): ipld: could not find ${cid.toString()}`);
  }
}

/** The stored bytes of the block have changed. */
export class UnreadableError extends CommandError {
  constructor(cid: CID) {
    super(`block ${cid.toString()} is damaged in the store; add its content again to repair it`);
  }
}

/** Reads a block by CID, including identity blocks. */
export type LoadBlock = (cid: CID) => Promise<Uint8Array>;

/** For whom blocks are read. */
export type Reading = {
  /** Ends the reading if the request is cancelled or times out. */
  readonly cancellation?: Cancellation;
  /** Of the request. */
  readonly charge: Charge;
};

/** @throws CommandError if the block is absent or damaged. */
export function blockLoader(store: BlockStore, { cancellation, charge }: Reading): LoadBlock {
  const read = async (cid: CID) => {
    try {
      return await store.get(cid.multihash.bytes, charge);
    } catch (error) {
      if (!(error instanceof DamagedBlockError)) throw error;
      throw new UnreadableError(cid);
    }
  };
  return async (cid) => {
    const pause = charge.yield();
    if (pause !== undefined) await pause;
    cancellation?.throwIfCancelled();
    if (cid.multihash.code === IDENTITY) return cid.multihash.digest;
    const own = charge.reading();
    try {
      await own?.ready;
      const bytes = await read(cid);
      if (bytes === undefined) throw new NotFoundError(cid);
      // Whoever asked decodes it now.
      const turn = hasLinks(cid) ? charge.yield(bytes.length) : undefined;
      if (turn !== undefined) await turn;
      cancellation?.throwIfCancelled();
      return bytes;
    } finally {
      own?.leave();
    }
  };
}

/** Reads only blocks that may have links. For the others it looks whether they are stored, and returns no bytes. */
export const linkLoader =
  (store: Pick<BlockStore, 'has'>, load: LoadBlock): LoadBlock =>
  async (cid) => {
    if (hasLinks(cid)) return load(cid);
    const isThere = cid.multihash.code === IDENTITY || (await store.has(cid.multihash.bytes));
    if (!isThere) throw new NotFoundError(cid);
    return NOTHING;
  };

const NOTHING = new Uint8Array(0);
