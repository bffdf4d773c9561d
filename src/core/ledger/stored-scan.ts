import { type Hex, quantityToHex } from '../eth/bytes';
import { AddressStruct } from '../schemas/address';
import { type ChainName, ChainNameStruct } from '../schemas/chain';
import { BytesStruct, bytesStruct, Uint256Struct } from '../structs/hex';
import { array, type Infer, integer, object } from '../structs/struct';
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
  /** At least so many permissions had no room. Which ones is not kept, so a later scan cannot add to it. */
  leftOut: integer(0),
});

/** See {@link StoredScanStruct}. */
export type StoredScan = Infer<typeof StoredScanStruct>;

/** Anybody can log events that name an account, so there is an end: of all permissions, of a token, of transfers. */
const MAX_PERMISSIONS = 400;
const MAX_OF_TOKEN = 40;
const MAX_SPENT = 400;
/** Older events, which count again if the newer ones are reorganised away. */
const MAX_OLDER = 100;
/** A reorganisation behind the oldest of so many scans has everything searched again. */
const MAX_MARKS = 8;
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
 * The newest event for each permission, and the newest transfer of each token out of the account; and those that will
 * be the newest if the chain goes back to one of the marks. The newest events are kept if there is no room for all;
 * those that only the account can cause have room of their own, and so have those of nothing: many tokens log them for
 * a transfer of nothing, which anybody can make.
 */
function thatMatter(
  logs: readonly PlacedLog[],
  marks: ScanState['marks'],
  account: Hex,
  isOwn: (given: Candidate) => boolean,
): { readonly kept: readonly PlacedLog[]; readonly leftOut: number } {
  /** How many marks keep the newest event so far; undefined if it had no room. */
  const seen = new Map<string, number | undefined>();
  const room = new Room();
  const kept: PlacedLog[] = [];
  let leftOut = 0;
  for (const log of logs.toReversed()) {
    const [given] = candidatesIn([log], account);
    const [spent] = given === undefined ? lastSpent([log], account).keys() : [];
    if (given === undefined && spent === undefined) continue;
    const key = given === undefined ? `spent ${spent}` : permissionKey(given);
    const keeping = marks.filter(({ number }) => number >= log.blockNumber).length;
    if (seen.has(key)) {
      const known = seen.get(key);
      if (known === undefined || known === keeping) continue;
      seen.set(key, keeping);
      if (room.take(`older ${given !== undefined && isOwn(given)}`, MAX_OLDER)) kept.push(log);
      continue;
    }
    const fits =
      given === undefined
        ? room.take('spent', MAX_SPENT)
        : room.take(`of ${given.token} ${given.amount === 0n}`, MAX_OF_TOKEN) &&
          room.take(`${isOwn(given)} ${given.amount === 0n}`, MAX_PERMISSIONS);
    seen.set(key, fits ? keeping : undefined);
    if (fits) kept.push(log);
    else if (given !== undefined) leftOut++;
  }
  return { kept: kept.toReversed(), leftOut };
}

const rangesToJson = (ranges: ScanState['searched']) =>
  ranges.slice(-MAX_RANGES).map(({ from, to }) => ({ from: quantityToHex(from), to: quantityToHex(to) }));

/**
 * @param before - The scan that this one goes on from.
 * @param isOwn - Whether only the account can cause the event that gives it.
 */
export function storedScan(
  account: Hex,
  chainId: ChainName,
  state: ScanState,
  before: StoredScan | undefined,
  isOwn: (given: Candidate) => boolean,
): StoredScan {
  const marks = state.marks.slice(-MAX_MARKS);
  const found = thatMatter([...unpackLogs(state.logs)], marks, account, isOwn);
  const goesOn = before?.marks.some(({ hash }) => state.marks.some((mark) => mark.hash === hash)) === true;
  return {
    account,
    chainId,
    searched: rangesToJson(state.searched),
    refused: rangesToJson(state.refused),
    marks: marks.map(({ number, hash }) => ({ number: quantityToHex(number), hash })),
    logs: found.kept.map(({ address, data, topics, blockNumber, transactionHash, logIndex }) => ({
      address,
      data: data.slice(0, WORD_LENGTH) as Hex,
      topics,
      blockNumber: quantityToHex(blockNumber),
      transactionHash,
      logIndex,
    })),
    leftOut: goesOn ? Math.max(before.leftOut, found.leftOut) : found.leftOut,
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
