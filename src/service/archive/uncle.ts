import { toHex } from './bytes';
import { FormatError } from './errors';
import type { Hash } from './hashing';
import { rlpItem, rlpList, rlpListLength, type RlpItem } from './rlp';

/** An uncle as `eth_getUncleBy...` returns it (specification section 2.8). All hex; `totalDifficulty` may be null. */
export type UncleBlock = {
  number: string;
  hash: string;
  parentHash: string;
  nonce: string;
  mixHash: string;
  sha3Uncles: string;
  logsBloom: string;
  transactionsRoot: string;
  stateRoot: string;
  receiptsRoot: string;
  miner: string;
  difficulty: string;
  totalDifficulty: string | null;
  extraData: string;
  size: string;
  gasLimit: string;
  gasUsed: string;
  timestamp: string;
  /** Only in headers from the London fork on (EIP-1559). */
  baseFeePerGas?: string;
  /** Always empty: an uncle is stored as its header alone, even when it had uncles of its own. */
  uncles: never[];
};

/** Header fields in RLP order (Yellow Paper section 4.4, EIP-1559) with their exact size in bytes; 0: a quantity. */
const FIELDS = [
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
] as const;

type Field = (typeof FIELDS)[number][0];

const PRE_LONDON_FIELDS = FIELDS.length - 1;

export const quantity = (value: bigint | number) => `0x${value.toString(16)}`;

/**
 * Takes an uncle list apart without decoding the headers.
 *
 * @param list - RLP of a block's uncle list.
 * @returns RLP of each uncle's header, as views.
 * @throws {FormatError} If it is not a list of lists.
 */
export function uncleHeaders(list: Uint8Array): Uint8Array[] {
  const outer = rlpItem(list, 0, list.length);
  let next = outer.start;
  return rlpList(list).map(({ list: isList, end }) => {
    if (!isList) throw new FormatError('an uncle list with something in it that is no header');
    const header = list.subarray(next, end);
    next = end;
    return header;
  });
}

/** One field as the wire wants it, cut from the header's digits: quantities without leading zeros. */
function render(digits: string, { list, start, end }: RlpItem, [name, size]: (typeof FIELDS)[number]): string {
  const value = digits.slice(2 * start, 2 * end);
  const length = end - start;
  if (list || (size === 0 ? length > 32 || value.startsWith('00') : size !== undefined && length !== size))
    throw new FormatError(`an uncle header whose ${name} has the wrong shape`);
  if (size !== 0) return `0x${value}`;
  return value === '' ? '0x0' : `0x${value.startsWith('0') ? value.slice(1) : value}`;
}

/**
 * Decodes an uncle's header into the block object of the JSON-RPC interface.
 *
 * @param header - RLP of the header.
 * @param keccak - Keccak-256.
 * @param totalDifficulty - Of the uncle; null if it is not known or not wanted.
 * @returns The block object. `size` is the length of RLP([header, [], []]), as nodes compute it.
 * @throws {FormatError} If it is not a proof-of-work header.
 */
export function uncleBlock(header: Uint8Array, keccak: Hash, totalDifficulty: bigint | null): UncleBlock {
  const items = rlpList(header);
  if (items.length !== FIELDS.length && items.length !== PRE_LONDON_FIELDS)
    throw new FormatError(`an uncle header of ${items.length} fields`);
  const digits = toHex(header).slice(2);
  const fields = {} as Record<Field, string>;
  FIELDS.forEach((field, i) => {
    const item = items[i];
    if (item) fields[field[0]] = render(digits, item, field);
  });
  const { baseFeePerGas, ...common } = fields as Omit<typeof fields, 'baseFeePerGas'> & { baseFeePerGas?: string };
  return {
    number: common.number,
    hash: toHex(keccak(header)),
    parentHash: common.parentHash,
    nonce: common.nonce,
    mixHash: common.mixHash,
    sha3Uncles: common.sha3Uncles,
    logsBloom: common.logsBloom,
    transactionsRoot: common.transactionsRoot,
    stateRoot: common.stateRoot,
    receiptsRoot: common.receiptsRoot,
    miner: common.miner,
    difficulty: common.difficulty,
    totalDifficulty: totalDifficulty === null ? null : quantity(totalDifficulty),
    extraData: common.extraData,
    size: quantity(rlpListLength(header.length + 2)),
    gasLimit: common.gasLimit,
    gasUsed: common.gasUsed,
    timestamp: common.timestamp,
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
    uncles: [],
  };
}
