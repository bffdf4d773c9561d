import { hexDigits, toHex } from './bytes';
import { FormatError } from './errors';
import type { Hash } from './hashing';
import { rlpItem, rlpList, rlpListLength, type RlpItem } from './rlp';

/** An uncle as returned by `eth_getUncleBy...` (specification section 2.8). All hex; `totalDifficulty` may be null. */
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
  /** Only in headers since the London fork (EIP-1559). */
  baseFeePerGas?: string;
  /** Always empty: only an uncle's header is stored, even if it had uncles itself. */
  uncles: never[];
};

/**
 * Header fields: position in the RLP list (Yellow Paper section 4.4, EIP-1559) and exact size in bytes; 0: a quantity.
 */
const FIELDS = {
  parentHash: [0, 32],
  sha3Uncles: [1, 32],
  miner: [2, 20],
  stateRoot: [3, 32],
  transactionsRoot: [4, 32],
  receiptsRoot: [5, 32],
  logsBloom: [6, 256],
  difficulty: [7, 0],
  number: [8, 0],
  gasLimit: [9, 0],
  gasUsed: [10, 0],
  timestamp: [11, 0],
  extraData: [12, undefined],
  mixHash: [13, 32],
  nonce: [14, 8],
  baseFeePerGas: [15, 0],
} as const;

const PRE_LONDON_FIELDS = 15;
const LONDON_FIELDS = 16;

export const quantity = (value: bigint | number) => `0x${value.toString(16)}`;

/**
 * Splits an uncle list without decoding the headers.
 *
 * @param list - RLP of a block's uncle list.
 * @returns RLP of each uncle's header, as views.
 * @throws {FormatError} If it is not a list of lists.
 */
export function uncleHeaders(list: Uint8Array): Uint8Array[] {
  const outer = rlpItem(list, 0, list.length);
  let next = outer.start;
  return rlpList(list).map(({ list: isList, end }) => {
    if (!isList) throw new FormatError('the uncle list contains an item that is not a header');
    const header = list.subarray(next, end);
    next = end;
    return header;
  });
}

/** One field's hex digits in wire format, cut from the header's digits: quantities without leading zeros. */
function cut(digits: string, items: readonly RlpItem[], name: keyof typeof FIELDS): string {
  const [position, size] = FIELDS[name];
  const { list, start, end } = items[position] as RlpItem;
  const length = end - start;
  const isMinimal = length === 0 || !digits.startsWith('00', 2 * start);
  const fits = size === 0 ? length <= 32 && isMinimal : size === undefined || length === size;
  if (list || !fits) throw new FormatError(`the uncle header has an invalid ${name}`);
  if (size !== 0) return digits.slice(2 * start, 2 * end);
  if (length === 0) return '0';
  return digits.slice(digits.startsWith('0', 2 * start) ? 2 * start + 1 : 2 * start, 2 * end);
}

/**
 * Decodes an uncle's header into the block object of the JSON-RPC interface, as JSON. The JSON is assembled by hand,
 * because building an object and calling `JSON.stringify` takes longer than the rest of a lookup. Hex digits need no
 * escaping.
 *
 * @param header - RLP of the header.
 * @param keccak - Keccak-256.
 * @param totalDifficulty - The uncle's total difficulty; null if unknown or not wanted.
 * @returns JSON of an {@link UncleBlock}. `size` is the length of RLP([header, [], []]), as nodes compute it.
 * @throws {FormatError} If it is not a proof-of-work header.
 */
export function uncleJson(header: Uint8Array, keccak: Hash, totalDifficulty: bigint | null): string {
  const items = rlpList(header);
  if (items.length !== PRE_LONDON_FIELDS && items.length !== LONDON_FIELDS)
    throw new FormatError(`the uncle header has ${items.length} fields`);
  const digits = hexDigits(header);
  const field = (name: keyof typeof FIELDS) => cut(digits, items, name);
  const total = totalDifficulty === null ? 'null' : `"${quantity(totalDifficulty)}"`;
  const baseFee = items.length === LONDON_FIELDS ? `,"baseFeePerGas":"0x${field('baseFeePerGas')}"` : '';
  return (
    `{"number":"0x${field('number')}","hash":"${toHex(keccak(header))}","parentHash":"0x${field('parentHash')}",` +
    `"nonce":"0x${field('nonce')}","mixHash":"0x${field('mixHash')}","sha3Uncles":"0x${field('sha3Uncles')}",` +
    `"logsBloom":"0x${field('logsBloom')}","transactionsRoot":"0x${field('transactionsRoot')}",` +
    `"stateRoot":"0x${field('stateRoot')}","receiptsRoot":"0x${field('receiptsRoot')}","miner":"0x${field('miner')}",` +
    `"difficulty":"0x${field('difficulty')}","totalDifficulty":${total},"extraData":"0x${field('extraData')}",` +
    `"size":"${quantity(rlpListLength(header.length + 2))}","gasLimit":"0x${field('gasLimit')}",` +
    `"gasUsed":"0x${field('gasUsed')}","timestamp":"0x${field('timestamp')}"${baseFee},"uncles":[]}`
  );
}
