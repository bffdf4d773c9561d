import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { RLP } from '@ethereumjs/rlp';
import { keccak_256 } from '@noble/hashes/sha3.js';

import type { NodeAnswer, NodeCall } from './node';

type Header = readonly Uint8Array[];

/** A block read from an export, with libraries that the product does not use. */
export type RealBlock = { number: number; hash: string; header: Header; uncles: readonly Header[] };

/** What nodes answer with: a block object. */
export type BlockObject = Record<string, unknown>;

const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
export const keccakOf = (value: Parameters<typeof RLP.encode>[0]) => hex(keccak_256(RLP.encode(value)));
export const quantity = (value: number | bigint) => `0x${value.toString(16)}`;

/** Members of a header in the order of its RLP. A `*` marks quantities. */
const MEMBERS = (
  'parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom *difficulty *number *gasLimit *gasUsed ' +
  '*timestamp extraData mixHash nonce *baseFeePerGas withdrawalsRoot *blobGasUsed *excessBlobGas ' +
  'parentBeaconBlockRoot requestsHash blockAccessListHash *slotNumber'
).split(' ');

const valueOf = (name: string, bytes: Uint8Array) =>
  name.startsWith('*') ? quantity(BigInt(`${hex(bytes)}` === '0x' ? '0x0' : hex(bytes))) : hex(bytes);

/** The members that a header commits to, and its hash. */
export function headerObject(header: Header): BlockObject {
  const members = header.map((bytes, i) => {
    const name = MEMBERS[i]!;
    return [name.replace('*', ''), valueOf(name, bytes)] as const;
  });
  return { ...Object.fromEntries(members), hash: keccakOf([...header]) };
}

/** The members of a block object's header, as they are encoded. */
export function headerBytes(block: BlockObject): Uint8Array[] {
  return MEMBERS.filter((name) => block[name.replace('*', '')] !== undefined).map((name) => {
    const value = block[name.replace('*', '')] as string;
    const digits = name.startsWith('*') ? (value === '0x0' ? '' : value.slice(2)) : value.slice(2);
    return Uint8Array.from(Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex'));
  });
}

/** Encodes a block object's header anew: whoever invents a block makes its hash fit, too. */
export const withOwnHash = (block: BlockObject): BlockObject => ({ ...block, hash: keccakOf(headerBytes(block)) });

function readExport(bytes: Uint8Array): RealBlock[] {
  const blocks: RealBlock[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const { data, remainder } = RLP.decode(rest, true);
    const [header, , uncles] = data as unknown as [Uint8Array[], unknown, Uint8Array[][]];
    blocks.push({ number: Number(valueOf('*', header[8]!)), hash: keccakOf(header), header, uncles });
    rest = remainder;
  }
  return blocks;
}

const file = (path: string) => readFileSync(resolve(__dirname, '../../..', path));

/** Blocks 0 to 670 of mainnet. */
export const mainnet = (): RealBlock[] => readExport(gunzipSync(file('src/devnet/archive/mainnet-0-670.rlp.gz')));
/** Blocks 1 to 54 of the execution-apis chain, with every fork from Frontier to Prague. */
export const allForks = (): RealBlock[] => readExport(file('test/service/data/hivechain.rlp'));

/**
 * How nodes write a block beyond its header. `later` are members of forks that the block does not have, which some add;
 * `transactions` is what an uncle has.
 */
type Form = { totalDifficulty?: string | null; author?: true; transactions?: []; later?: BlockObject; upper?: true };

export const FORMS = {
  geth: {},
  erigon: { totalDifficulty: '0x3ff800000' },
  nethermind: { totalDifficulty: '0x0', author: true, transactions: [], later: { baseFeePerGas: '0x0' } },
  besu: { totalDifficulty: '0x0', transactions: [] },
  reth: { totalDifficulty: null },
  'openethereum, long gone': { author: true, upper: true },
} satisfies Record<string, Form>;

function written(header: Header, uncles: readonly Header[], form: Form, isUncle: boolean): BlockObject {
  const { totalDifficulty, author, transactions, later, upper } = form;
  const members = headerObject(header);
  const miner = String(members['miner']);
  return {
    ...later,
    ...members,
    ...(upper && { miner: `0x${miner.slice(2).toUpperCase()}` }),
    ...(author && { author: miner, sealFields: [] }),
    ...(totalDifficulty !== undefined && { totalDifficulty }),
    size: quantity(RLP.encode([[...header], [], []]).length),
    uncles: uncles.map((uncle) => keccakOf([...uncle])),
    ...(isUncle ? transactions && { transactions } : { transactions: [`0x${'ab'.repeat(32)}`], withdrawals: [] }),
  };
}

/** The block object of a block. */
export const blockObject = ({ header, uncles }: RealBlock, form: Form = {}): BlockObject =>
  written(header, uncles, form, false);

/** The block object of a block's uncle. */
export const uncleObject = ({ uncles }: RealBlock, index: number, form: Form = {}): BlockObject | null => {
  const uncle = uncles[index];
  return uncle ? written(uncle, [], form, true) : null;
};

/** A node that answers honestly from these blocks. */
export function honestNode(chain: readonly RealBlock[], form: Form = {}): (call: NodeCall) => unknown {
  const byNumber = new Map(chain.map((block) => [quantity(block.number), block]));
  const byHash = new Map(chain.map((block) => [block.hash, block]));
  const last = chain.at(-1)!;
  return ({ method, params }) => {
    const [name, index] = params as [string, string | false];
    const block = /^0x/u.test(name) ? (name.length === 66 ? byHash : byNumber).get(name) : last;
    if (method === 'eth_blockNumber') return quantity(last.number);
    if (!block) return null;
    if (/^eth_getBlockBy/u.test(method)) return blockObject(block, form);
    if (/^eth_getUncleCountBy/u.test(method)) return quantity(block.uncles.length);
    if (/^eth_getUncleBy/u.test(method)) return uncleObject(block, Number(index), form);
    throw { code: -32601, message: `the method ${method} does not exist` };
  };
}

/** Changes an honest answer. */
export type Lie = (call: NodeCall & { body: string; response?: ServerResponse }, honest: unknown) => unknown;

/** A node that answers honestly except for one lie. */
export function lyingNode(chain: readonly RealBlock[], lie: Lie): NodeAnswer {
  const honest = honestNode(chain);
  return (call, response) => lie({ ...call, response }, honest(call));
}
