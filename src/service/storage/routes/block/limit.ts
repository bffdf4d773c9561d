import { clientFault, CommandError } from '../../errors';
import { type Limits } from '../../limits';

/** The size up to which other peers of the network take blocks. */
const EXCHANGEABLE_BYTES = 1 << 20;

/** Bytes a new block may have. */
export const blockLimit = (limits: Limits, allowBig: boolean | undefined): number =>
  allowBig === true ? limits.blockBytes : Math.min(EXCHANGEABLE_BYTES, limits.blockBytes);

export const tooBig = (limit: number): CommandError =>
  limit === EXCHANGEABLE_BYTES
    ? new CommandError(
        "produced block is over 1MiB: big blocks can't be exchanged with other peers. consider using UnixFS for automatic chunking of bigger files, or pass --allow-big-block to override",
      )
    : clientFault(`produced block is over the limit of ${limit} bytes`);
