import type { Hex } from 'viem';
import { toRlp } from 'viem/utils';

import { toHex } from '../archive/bytes';
import type { Hash } from '../archive/hashing';
import { UnprovenAnswer } from './unproven-answer';

/**
 * The members of a block object that its hash covers, in the order of the header's RLP, with their size in bytes; 0 is
 * a quantity, undefined any bytes. The first 15 are in every header (Yellow Paper, section 4.4); forks append the
 * others: London (EIP-1559), Shanghai (EIP-4895), Cancun (EIP-4844, EIP-4788), Prague (EIP-7685), Amsterdam (EIP-7928,
 * EIP-7843).
 */
const MEMBERS: readonly (readonly [name: string, size: number | undefined])[] = [
  ['parentHash', 32],
  ['sha3Uncles', 32],
  ['miner', 20],
  ['stateRoot', 32],
  ['transactionsRoot', 32],
  ['receiptsRoot', 32],
  ['logsBloom', 256],
  ['difficulty', 0],
  ['number', 0],
  ['gasLimit', 0],
  ['gasUsed', 0],
  ['timestamp', 0],
  ['extraData', undefined],
  ['mixHash', 32],
  ['nonce', 8],
  ['baseFeePerGas', 0],
  ['withdrawalsRoot', 32],
  ['blobGasUsed', 0],
  ['excessBlobGas', 0],
  ['parentBeaconBlockRoot', 32],
  ['requestsHash', 32],
  ['blockAccessListHash', 32],
  ['slotNumber', 0],
];
const SHORTEST = 15;

const QUANTITY = /^0x[\da-f]{1,64}$/iu;
const BYTES = /^0x(?:[\da-f]{2})*$/iu;

/** A header as a node sent it. Without a proof, only the names of the block are known to have the right shape. */
export type BlockHeader = {
  /** Lower-case hex. */
  hash: string;
  number: bigint;
  parentHash: string;
  unclesHash: string;
  /** The members whose RLP has the hash; undefined on a network whose headers are not proven. */
  members: readonly Hex[] | undefined;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shape = (why: string) => new UnprovenAnswer('shape', `sent a block ${why}`);

/** A member as the hex of its RLP string; undefined if it does not have the form of the member. */
function rlpHex(value: unknown, size: number | undefined): Hex | undefined {
  if (typeof value !== 'string' || !(size === 0 ? QUANTITY : BYTES).test(value)) return undefined;
  const digits = value.slice(2).toLowerCase();
  if (size !== 0) return size === undefined || digits.length === 2 * size ? `0x${digits}` : undefined;
  const shortest = digits.replace(/^0+/u, '');
  return `0x${'0'.repeat(shortest.length % 2)}${shortest}`;
}

function hashMember(block: Record<string, unknown>, name: string): string {
  const hash = rlpHex(block[name], 32);
  if (hash === undefined) throw shape(`whose ${name} is not a hash of 32 bytes`);
  return hash;
}

function numberOf({ number }: Record<string, unknown>): bigint {
  if (typeof number === 'string' && QUANTITY.test(number)) return BigInt(number);
  throw shape('whose number is not a quantity');
}

/** The members of the header, up to the first that is missing. Other members of a block object are no part of it. */
function membersOf(block: Record<string, unknown>): Hex[] {
  const values: Hex[] = [];
  for (const [name, size] of MEMBERS) {
    const value = rlpHex(block[name], size);
    if (value === undefined && values.length < SHORTEST) throw shape(`without a valid ${name}`);
    if (value === undefined) break;
    values.push(value);
  }
  return values;
}

/**
 * Reads the header of a block object. Some nodes add members of later forks to earlier blocks, so the header is the
 * beginning of these members that has the claimed hash: no other has.
 *
 * @param block - Result of `eth_getBlockBy…` or `eth_getUncleBy…`, not null.
 * @param keccak - Keccak-256; undefined to read what the block claims, without a proof.
 * @returns The header.
 * @throws {UnprovenAnswer} If it is not a block object, or its hash is not that of its header.
 */
export function readBlockHeader(block: unknown, keccak: Hash | undefined): BlockHeader {
  if (!isRecord(block)) throw shape('that is not an object');
  const header = {
    hash: hashMember(block, 'hash'),
    number: numberOf(block),
    parentHash: hashMember(block, 'parentHash'),
    unclesHash: hashMember(block, 'sha3Uncles'),
    members: undefined,
  };
  if (!keccak) return header;
  const all = membersOf(block);
  for (let length = all.length; length >= SHORTEST; length -= 1) {
    const members = all.slice(0, length);
    if (toHex(keccak(toRlp(members, 'bytes'))) === header.hash) return { ...header, members };
  }
  throw new UnprovenAnswer('hash', 'sent a block whose hash is not that of its header');
}

/**
 * The commitment to the uncles of a pending block, which has no hash yet.
 *
 * @returns `sha3Uncles`; undefined if it has a hash: it can be read as any other.
 * @throws {UnprovenAnswer} If it is not a block object.
 */
export function pendingUnclesHash(block: unknown): string | undefined {
  if (!isRecord(block)) throw shape('that is not an object');
  return block['hash'] === null || block['hash'] === undefined ? hashMember(block, 'sha3Uncles') : undefined;
}

/** @returns The hashes of its uncles that a block object names. The header's hash does not cover them. */
export function namedUncles(block: unknown): readonly unknown[] {
  const uncles = isRecord(block) ? block['uncles'] : undefined;
  return Array.isArray(uncles) ? uncles : [];
}
