import { type Hex } from '../eth/bytes';
import { type Log } from '../schemas/receipt';

/** A log and its place on the chain, as `eth_getLogs` and receipts have it. */
export type PlacedLog = Log & {
  readonly blockNumber: bigint;
  readonly transactionHash: Hex;
  /** Counted in the block. */
  readonly logIndex: number;
};

/** The place of a log: no two logs of a chain share it. */
export const placeOf = ({ blockNumber, logIndex }: PlacedLog): string => `${blockNumber}/${logIndex}`;

/** Sorts logs into the order in which they happened. */
export const inOrder = (a: PlacedLog, b: PlacedLog): number =>
  a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : a.blockNumber < b.blockNumber ? -1 : 1;
