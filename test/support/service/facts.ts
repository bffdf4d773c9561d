import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { RLP } from '@ethereumjs/rlp';
import { keccak_256 } from '@noble/hashes/sha3.js';

import { segmentName, writeSegment } from '../../../src/service/chain/archive/segment';
import { archiveDir } from '../../../src/service/chain/archive/catalog';
import { dataFile } from './folder';

export type Fact = {
  network: string;
  block: string;
  blockHash: string | null;
  index: string;
  computedTotalDifficulty: string | null;
  result: Record<string, string | string[]>;
  blockHeaderRlp?: string;
  blockRlp?: string;
};

export const facts = JSON.parse(readFileSync(dataFile('uncles-facts.json'), 'utf8')) as Fact[];

const HEADER_FIELDS = [
  'parentHash',
  'sha3Uncles',
  'miner',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'extraData',
  'mixHash',
  'nonce',
  'baseFeePerGas',
];
const QUANTITIES = new Set(['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas']);

const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex');

function field(name: string, value: string): Uint8Array {
  if (!QUANTITIES.has(name)) return bytes(value);
  const digits = value.slice(2);
  return value === '0x0'
    ? new Uint8Array()
    : Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
}

/** The RLP of an uncle's header, made from its JSON. */
export function headerOf(result: Readonly<Record<string, unknown>>): Uint8Array {
  const names = HEADER_FIELDS.filter((name) => result[name] !== undefined);
  return RLP.encode(names.map((name) => field(name, result[name] as string)));
}

export const keccakHex = (data: Uint8Array) => `0x${Buffer.from(keccak_256(data)).toString('hex')}`;

/** A placeholder for the hash of the one block whose documentation omits it. */
const UNKNOWN_HASH = `0x${'ee'.repeat(32)}`;

/** Writes one segment for each block of the facts, without its neighbours. */
export function writeFactSegments(dataDir: string, network: string): void {
  const dir = archiveDir(dataDir, network);
  mkdirSync(dir, { recursive: true });
  const blocks = new Map<string, Fact[]>();
  for (const fact of facts) {
    if (fact.network !== network) continue;
    blocks.set(fact.block, [...(blocks.get(fact.block) ?? []), fact]);
  }
  for (const [block, own] of blocks) {
    const number = Number(block);
    // If only the second uncle is known, any header can take the place of the first.
    const last = Math.max(...own.map(({ index }) => Number(index)));
    const headers = Array.from({ length: last + 1 }, (_, i) =>
      RLP.decode(headerOf((own.find(({ index }) => Number(index) === i) ?? own[0]!).result)),
    );
    const list = RLP.encode(headers as Uint8Array[][]);
    const sums = Buffer.alloc(32 * headers.length);
    own.forEach(({ index, computedTotalDifficulty: total }) => {
      if (total !== null) sums.write(total.slice(2).padStart(64, '0'), 32 * Number(index), 'hex');
    });
    const record = Buffer.concat([Buffer.of(headers.length), sums, list]);
    const hash = own[0]!.blockHash ?? UNKNOWN_HASH;
    const info = {
      start: number,
      end: number,
      records: 1,
      uncles: headers.length,
      dataBytes: record.length,
      parentHash: `0x${'00'.repeat(32)}`,
      lastHash: hash,
      base: '0x0',
      sums: ['0x0'],
      accumulator: null,
      source: 'facts',
    };
    writeSegment(join(dir, segmentName(info)), {
      info,
      numbers: Uint32Array.of(number),
      offsets: Uint32Array.of(0, record.length),
      hashes: bytes(hash),
      data: [record],
    });
  }
}
