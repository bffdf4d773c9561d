import { clientFault, CommandError } from '../../../errors';
import { type Limits } from '../../../content/limits';

/** The maximum size of blocks that other peers of the network accept: Kubo's since 0.40. */
const EXCHANGEABLE_BYTES = 2 << 20;

/** The size limit of a new block, in bytes. */
export const blockLimit = (limits: Limits, allowBig: boolean | undefined): number =>
  allowBig === true ? limits.blockBytes : Math.min(EXCHANGEABLE_BYTES, limits.blockBytes);

export const tooBig = (limit: number): CommandError =>
  limit === EXCHANGEABLE_BYTES
    ? new CommandError(
        "produced block is over 2MiB: big blocks can't be exchanged with other peers. consider using UnixFS for automatic chunking of bigger files, or pass --allow-big-block to override",
      )
    : clientFault(`produced block is over the limit of ${limit} bytes`);
