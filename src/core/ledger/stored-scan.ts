import { type Hex, quantityToHex } from '../eth/bytes';
import { AddressStruct } from '../schemas/address';
import { type ChainName, ChainNameStruct } from '../schemas/chain';
import { BytesStruct, bytesStruct, Uint256Struct } from '../schemas/hex';
import { array, type Infer, integer, object } from '../schemas/struct';
import { type Candidate, candidatesIn, lastSpent, permissionKey } from './candidates';
import { packLogs, unpackLogs } from './packed-logs';
import { type PlacedLog } from './placed-log';
import { type ScanState } from './scan';

const RangeStruct = object({ from: Uint256Struct, to: Uint256Struct });

/** A scan of an account on a network, as JSON, with no more of its events than permissions take. */
export const StoredScanStruct = object({
  account: AddressStruct,
  chainId: ChainNameStruct,
  searched: array(RangeStruct),
  refused: array(RangeStruct),
  marks: array(object({ number: Uint256Struct, hash: bytesStruct(32) })),
  logs: array(
    object({
      address: AddressStruct,
      data: BytesStruct,
      topics: array(bytesStruct(32)),
      blockNumber: Uint256Struct,
      transactionHash: bytesStruct(32),
      logIndex: integer(0),
    }),
  ),
  /** Events that give permissions, and for which there was no room. */
  leftOut: integer(0),
});

/** See {@link StoredScanStruct}. */
export type StoredScan = Infer<typeof StoredScanStruct>;

/** Anybody can log events that name an account, so there is an end: of all permissions, of a token, of transfers. */
const MAX_PERMISSIONS = 400;
const MAX_OF_TOKEN = 40;
const MAX_SPENT = 400;
/** Ranges of blocks that do not touch: a scan from the newest block back leaves few. */
const MAX_RANGES = 50;
/** 0x and a word: nobody reads more of the data of an event. */
const WORD_LENGTH = 66;

/** Counts what was taken under a name, up to a limit. */
class Room {
  readonly #counts = new Map<string, number>();

  take(name: string, most: number): boolean {
    const count = (this.#counts.get(name) ?? 0) + 1;
    if (count > most) return false;
    this.#counts.set(name, count);
    return true;
  }
}

/**
 * The newest event for each permission, and the newest transfer of each token out of the account. The newest events
 * are kept if there is no room for all; those that only the account can cause have room of their own, and so have those
 * of nothing: many tokens log them for a transfer of nothing, which anybody can make.
 */
function thatMatter(
  logs: readonly PlacedLog[],
  account: Hex,
  isOwn: (given: Candidate) => boolean,
): { readonly kept: readonly PlacedLog[]; readonly leftOut: number } {
  const seen = new Set<string>();
  const room = new Room();
  const kept: PlacedLog[] = [];
  let leftOut = 0;
  for (const log of logs.toReversed()) {
    const [given] = candidatesIn([log], account);
    const [spent] = given === undefined ? lastSpent([log], account).keys() : [];
    const key = given === undefined ? `spent ${spent}` : permissionKey(given);
    if ((given === undefined && spent === undefined) || seen.has(key)) continue;
    seen.add(key);
    const fits =
      given === undefined
        ? room.take('spent', MAX_SPENT)
        : room.take(`of ${given.token} ${given.amount === 0n}`, MAX_OF_TOKEN) &&
          room.take(`${isOwn(given)} ${given.amount === 0n}`, MAX_PERMISSIONS);
    if (fits) kept.push(log);
    else if (given !== undefined) leftOut++;
  }
  return { kept: kept.toReversed(), leftOut };
}

const rangesToJson = (ranges: ScanState['searched']) =>
  ranges.slice(-MAX_RANGES).map(({ from, to }) => ({ from: quantityToHex(from), to: quantityToHex(to) }));

/**
 * @param leftOut - Of the scans before.
 * @param isOwn - Whether only the account can cause the event that gives it.
 */
export function storedScan(
  account: Hex,
  chainId: ChainName,
  state: ScanState,
  leftOut: number,
  isOwn: (given: Candidate) => boolean,
): StoredScan {
  const found = thatMatter([...unpackLogs(state.logs)], account, isOwn);
  return {
    account,
    chainId,
    searched: rangesToJson(state.searched),
    refused: rangesToJson(state.refused),
    marks: state.marks.map(({ number, hash }) => ({ number: quantityToHex(number), hash })),
    logs: found.kept.map(({ address, data, topics, blockNumber, transactionHash, logIndex }) => ({
      address,
      data: data.slice(0, WORD_LENGTH) as Hex,
      topics,
      blockNumber: quantityToHex(blockNumber),
      transactionHash,
      logIndex,
    })),
    leftOut: leftOut + found.leftOut,
  };
}

const rangesOf = (ranges: StoredScan['searched']): ScanState['searched'] =>
  ranges.map(({ from, to }) => ({ from: BigInt(from), to: BigInt(to) }));

/** @returns The state from which the next scan goes on. */
export const scanStateOf = ({ searched, refused, marks, logs }: StoredScan): ScanState => ({
  searched: rangesOf(searched),
  refused: rangesOf(refused),
  marks: marks.map(({ number, hash }) => ({ number: BigInt(number), hash })),
  logs: packLogs(
    logs.map(({ blockNumber, topics, ...log }) => ({ ...log, topics: [...topics], blockNumber: BigInt(blockNumber) })),
  ),
});
