import { type CID } from 'multiformats/cid';
import { type BlockStore, DamagedBlockError } from '../store/block-store';
import { type Cancellation } from './cancellation';
import { CommandError } from '../errors';
import { IDENTITY } from '../store/hashes';
import { Turns } from '../../runtime/turns';
import { Pace } from './pace';
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

/**
 * @param cancellation ends the reading if the request is cancelled or times out.
 * @param pace lets others have their turn between two blocks.
 * @throws CommandError if the block is absent or damaged.
 */
export function blockLoader(
  store: BlockStore,
  cancellation?: Cancellation,
  pace = new Pace(new Turns(1), ''),
): LoadBlock {
  return async (cid) => {
    const pause = pace.step();
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
    // Whoever asked decodes it now.
    const turn = hasLinks(cid) ? pace.step(bytes.length) : undefined;
    if (turn !== undefined) await turn;
    return bytes;
  };
}
