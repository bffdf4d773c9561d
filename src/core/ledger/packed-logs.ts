import { type Hex, toHex, writeHex } from '../eth/bytes';
import { TRANSFER_BATCH } from '../simulation/asset-logs';
import { type PlacedLog } from './placed-log';
import { type BlockRange } from './searched';

/**
 * Logs in order, as bytes: as objects with hex they take three times as much. Each is its length, block, index and
 * number of topics; then its address, transaction, topics and data.
 */
export type PackedLogs = Uint8Array<ArrayBuffer>;

/** Where these parts of a log begin, in bytes. */
const [BLOCK, INDEX, TOPICS, ADDRESS, TRANSACTION, FIRST_TOPIC, WORD] = [4, 10, 14, 15, 35, 67, 32];
/** The chain has no logs with more. */
const MAX_TOPICS = 4;
/** The ledger reads no more data of most events: two words, in hex. */
const READ_DATA = 2 + 128;

const digitsOf = (value: bigint | number, bytes: number): string => value.toString(16).padStart(2 * bytes, '0');

function packed({ address, transactionHash, topics, data, blockNumber, logIndex }: PlacedLog): Uint8Array {
  const kept = topics.slice(0, MAX_TOPICS);
  const read = topics[0]?.toLowerCase() === TRANSFER_BATCH ? data : data.slice(0, READ_DATA);
  const body = [address, transactionHash, ...kept, read].map((hex) => hex.slice(2)).join('');
  const bytes = new Uint8Array(ADDRESS + body.length / 2);
  const head = [digitsOf(bytes.length, 4), digitsOf(blockNumber, 6), digitsOf(logIndex, 4), digitsOf(kept.length, 1)];
  writeHex(`0x${head.join('')}${body}`, bytes, 0);
  return bytes;
}

/** Puts one after the other. */
export function joined(parts: readonly Uint8Array[]): PackedLogs {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Packs logs that are in order. Data that the ledger does not read is dropped. */
export const packLogs = (logs: readonly PlacedLog[]): PackedLogs => joined(logs.map(packed));

const numberIn = (logs: PackedLogs, start: number, end: number): number => Number(toHex(logs.subarray(start, end)));

/** The places of the logs in the bytes. */
function* spansIn(logs: PackedLogs): Generator<readonly [from: number, to: number, block: bigint]> {
  for (let from = 0, to; from < logs.length; from = to) {
    to = from + numberIn(logs, from, from + BLOCK);
    yield [from, to, BigInt(numberIn(logs, from + BLOCK, from + INDEX))];
  }
}

/** @returns The logs of a range of blocks, without copying them. */
export function logsBetween(logs: PackedLogs, range: BlockRange): PackedLogs {
  let [start, end] = [logs.length, 0];
  for (const [from, to, block] of spansIn(logs)) {
    if (block < range.from || block > range.to) continue;
    start = Math.min(start, from);
    end = to;
  }
  return logs.subarray(start, Math.max(start, end));
}

function* eachIn(logs: PackedLogs): Generator<PlacedLog> {
  for (const [from, to, blockNumber] of spansIn(logs)) {
    const hex = (start: number, end: number): Hex => toHex(logs.subarray(start, end));
    const data = from + FIRST_TOPIC + WORD * numberIn(logs, from + TOPICS, from + ADDRESS);
    const topics: Hex[] = [];
    for (let at = from + FIRST_TOPIC; at < data; at += WORD) topics.push(hex(at, at + WORD));
    yield {
      address: hex(from + ADDRESS, from + TRANSACTION),
      data: hex(data, to),
      topics,
      blockNumber,
      transactionHash: hex(from + TRANSACTION, from + FIRST_TOPIC),
      logIndex: numberIn(logs, from + INDEX, from + TOPICS),
    };
  }
}

/** Unpacks logs one after the other each time they are read, so that only those that the reader keeps take memory. */
export const unpackLogs = (logs: PackedLogs): Iterable<PlacedLog> => ({ [Symbol.iterator]: () => eachIn(logs) });
