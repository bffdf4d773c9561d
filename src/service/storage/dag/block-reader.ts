import { type CID } from 'multiformats/cid';
import { type BlockStore, DamagedBlockError } from '../blocks/store';
import { type Cancellation } from '../cancellation';
import { CommandError } from '../errors';
import { IDENTITY } from '../hashes';
import { turnTaker } from '../turns';

/** The block is not in the store. */
export class NotFoundError extends CommandError {
  constructor(cid: CID) {
    super(`block was not found locally (offline): ipld: could not find ${cid.toString()}`);
  }
}

/** Reads a block by CID, the ones inside their CID included. */
export type LoadBlock = (cid: CID) => Promise<Uint8Array>;

/**
 * @param cancellation ends the reading of a request that was given up or ran out of time.
 * @throws CommandError when the block is absent or damaged.
 */
export function blockLoader(store: BlockStore, cancellation?: Cancellation): LoadBlock {
  const takeTurn = turnTaker();
  return async (cid) => {
    const turn = takeTurn();
    if (turn !== undefined) await turn;
    cancellation?.throwIfCancelled();
    if (cid.multihash.code === IDENTITY) return cid.multihash.digest;
    let bytes: Uint8Array | undefined;
    try {
      bytes = await store.get(cid.multihash.bytes);
    } catch (error) {
      if (!(error instanceof DamagedBlockError)) throw error;
      throw new CommandError(`block ${cid.toString()} is damaged in the store; add its content again to repair it`);
    }
    if (bytes === undefined) throw new NotFoundError(cid);
    return bytes;
  };
}
