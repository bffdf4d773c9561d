/** Known facts about a network's chain, by archive name. Block number -> hash. */
export type KnownChain = { chainId: number; lastPowBlock?: number; hashes: ReadonlyMap<number, string> };

/**
 * The first and the last proof-of-work block of mainnet, and the first of Sepolia. A chain of parent links that ends in
 * one of them cannot be another chain.
 */
const KNOWN: Readonly<Record<string, KnownChain>> = {
  mainnet: {
    chainId: 1,
    lastPowBlock: 15_537_393,
    hashes: new Map([
      [0, '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3'],
      [15_537_393, '0x55b11b918355b1ef9c5db810302ebad0bf2544255b530cdce90674d5887bb286'],
    ]),
  },
  sepolia: {
    chainId: 11_155_111,
    hashes: new Map([[0, '0x25a5cc106eea7138acab33231d7160d69cb777ee0c2c553fcddf5138993e6dd9']]),
  },
};

const UNKNOWN: ReadonlyMap<number, string> = new Map();

/** @returns The names of the networks with known blocks. */
export const knownNetworks = (): string[] => Object.keys(KNOWN);

/**
 * @param network - Name of an archive.
 * @returns Number -> hash of the known blocks; empty for an unknown network.
 */
export function knownHashes(network: string): ReadonlyMap<number, string> {
  return KNOWN[network]?.hashes ?? UNKNOWN;
}

/**
 * @param chainId - EIP-155 chain ID.
 * @returns The last block of that chain that could have uncles, if known.
 */
export function knownLastPowBlock(chainId: number): number | undefined {
  return Object.values(KNOWN).find((chain) => chain.chainId === chainId)?.lastPowBlock;
}
