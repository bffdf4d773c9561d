import { RLP, type NestedUint8Array } from '@ethereumjs/rlp';
import { keccak_256 } from '@noble/hashes/sha3.js';

/** A block of a made-up chain, encoded and hashed by libraries that the product does not use. */
export type TestBlock = {
  number: number;
  hash: Uint8Array;
  header: NestedUint8Array;
  uncles: NestedUint8Array[];
  totalDifficulty: bigint;
  /** Total difficulty of each uncle. */
  uncleTotals: bigint[];
};

export const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
export const hashOf = (value: NestedUint8Array) => keccak_256(RLP.encode(value));

const number = (value: bigint | number) => {
  const digits = value.toString(16);
  return value === 0 || value === 0n
    ? new Uint8Array()
    : Uint8Array.from(Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex'));
};

type HeaderFields = {
  parentHash: Uint8Array;
  uncles: NestedUint8Array[];
  number: number;
  difficulty: bigint;
  extra: string;
};

function makeHeader({ parentHash, uncles, number: height, difficulty, extra }: HeaderFields): Uint8Array[] {
  return [
    parentHash,
    hashOf(uncles),
    new Uint8Array(20).fill(height % 251),
    new Uint8Array(32).fill(1),
    new Uint8Array(32).fill(2),
    new Uint8Array(32).fill(3),
    new Uint8Array(256),
    number(difficulty),
    number(height),
    number(5000),
    number(0),
    number(1_438_269_988 + height),
    new TextEncoder().encode(extra),
    new Uint8Array(32).fill(4),
    new Uint8Array(8).fill(5),
  ];
}

export type ChainOptions = {
  /** The number of blocks. */
  length: number;
  /** The number of the first block. Its parent is made up unless this is 0. */
  start?: number;
  /** The block before the first. */
  after?: TestBlock;
  /** Chains with different salts have different blocks. */
  salt?: string;
  /** The number of uncles of a block. */
  unclesOf?: (number: number) => number;
};

const difficultyOf = (height: number) => 17_000_000_000n + BigInt(height * 1000);

/** Every fifth block and the first two of an epoch have an uncle, every tenth block has two. */
const someUncles = (height: number) => (height % 10 === 0 ? 2 : height % 5 === 0 || height % 8192 < 2 ? 1 : 0);

/** Makes consecutive blocks. */
export function makeChain({ length, start = 0, after, salt = '', unclesOf = someUncles }: ChainOptions): TestBlock[] {
  const blocks: TestBlock[] = [];
  const first = after ? after.number + 1 : start;
  let parentHash = after?.hash ?? new Uint8Array(32).fill(first === 0 ? 0 : 9);
  let grandparent: Uint8Array | undefined;
  // Total difficulty of the block before the parent.
  let beforeParent = 0n;
  let total = after?.totalDifficulty ?? (first === 0 ? 0n : 1_000_000n);
  for (let height = first; height < first + length; height++) {
    const count = grandparent && height > 1 ? unclesOf(height) : 0;
    // A sibling of the parent, so its own parent is the grandparent.
    const uncles = Array.from({ length: count }, (_, i) =>
      makeHeader({
        parentHash: grandparent as Uint8Array,
        uncles: [],
        number: height - 1,
        difficulty: difficultyOf(height - 1) - 7n - BigInt(i),
        extra: `uncle ${i} of ${height}${salt}`,
      }),
    );
    const difficulty = difficultyOf(height);
    const header = makeHeader({ parentHash, uncles, number: height, difficulty, extra: `block ${height}${salt}` });
    total += difficulty;
    const hash = hashOf(header);
    const uncleTotals = uncles.map((_, i) => beforeParent + difficultyOf(height - 1) - 7n - BigInt(i));
    blocks.push({ number: height, hash, header, uncles, totalDifficulty: total, uncleTotals });
    grandparent = parentHash;
    beforeParent = total - difficulty;
    parentHash = hash;
  }
  return blocks;
}

/** A chain export: RLP blocks one after the other. */
export function exportFile(blocks: readonly Pick<TestBlock, 'header' | 'uncles'>[]): Buffer {
  return Buffer.concat(blocks.map(({ header, uncles }) => RLP.encode([header, [], uncles])));
}
