import { type CID } from 'multiformats/cid';
import { type BlockStore, DamagedBlockError } from '../blocks/store';
import { type Cancellation } from '../cancellation';
import { CommandError } from '../errors';
import { IDENTITY } from '../hashes';
import { cooperativeYield } from '../cooperative-yield';

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

/**
 * @param cancellation ends the reading if the request is cancelled or times out.
 * @throws CommandError if the block is absent or damaged.
 */
export function blockLoader(store: BlockStore, cancellation?: Cancellation): LoadBlock {
  const maybeYield = cooperativeYield();
  return async (cid) => {
    const pause = maybeYield();
    if (pause !== undefined) await pause;
    cancellation?.throwIfCancelled();
    if (cid.multihash.code === IDENTITY) return cid.multihash.digest;
    let bytes: Uint8Array | undefined;
    try {
      bytes = await store.get(cid.multihash.bytes);
    } catch (error) {
      if (!(error instanceof DamagedBlockError)) throw error;
      throw new UnreadableError(cid);
    }
    if (bytes === undefined) throw new NotFoundError(cid);
    return bytes;
  };
}
