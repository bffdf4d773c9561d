import * as chains from 'viem/chains';

import { type KnownNetwork } from '../src/core/networks/known';

/** The networks that Keystead knows by name, as viem exports them: the main public ones, each with its testnets. */
const NETWORKS = [
  ...(['mainnet', 'sepolia', 'hoodi'] as const),
  ...(['optimism', 'optimismSepolia', 'base', 'baseSepolia'] as const),
  ...(['arbitrum', 'arbitrumNova', 'arbitrumSepolia'] as const),
  ...(['polygon', 'polygonAmoy'] as const),
  ...(['bsc', 'bscTestnet', 'opBNB', 'opBNBTestnet'] as const),
  ...(['avalanche', 'avalancheFuji', 'gnosis', 'gnosisChiado'] as const),
  ...(['zksync', 'zksyncSepoliaTestnet', 'linea', 'lineaSepolia', 'scroll', 'scrollSepolia'] as const),
  ...(['celo', 'celoSepolia', 'blast', 'blastSepolia', 'mantle', 'mantleSepoliaTestnet'] as const),
  ...(['fantom', 'sonic', 'unichain', 'unichainSepolia'] as const),
  ...(['worldchain', 'worldchainSepolia', 'berachain', 'berachainBepolia', 'ink', 'inkSepolia'] as const),
  ...(['zora', 'zoraSepolia', 'mode', 'modeTestnet', 'fraxtal', 'metis', 'metisSepolia'] as const),
  ...(['moonbeam', 'moonriver', 'moonbaseAlpha', 'cronos', 'cronosTestnet', 'kava', 'kavaTestnet'] as const),
  ...(['taiko', 'taikoHoodi', 'abstract', 'abstractTestnet', 'apeChain', 'curtis'] as const),
  ...(['soneium', 'soneiumMinato', 'lisk', 'liskSepolia', 'manta', 'mantaSepoliaTestnet'] as const),
  ...(['bob', 'bobSepolia', 'swellchain', 'zircuit', 'shape', 'shapeSepolia', 'boba', 'superseed'] as const),
  ...(['sei', 'seiTestnet', 'monad', 'monadTestnet', 'hyperEvm', 'plasma', 'katana', 'megaeth', 'hemi'] as const),
  ...(['aurora', 'harmonyOne', 'fuse', 'flare', 'songbird', 'filecoin', 'flowMainnet'] as const),
  ...(['coreDao', 'kaia', 'ronin', 'rootstock', 'rootstockTestnet', 'xdc', 'xLayer', 'morph'] as const),
  ...(['immutableZkEvm', 'lens', 'etherlink', 'chiliz', 'astar', 'iotex', 'telos', 'pulsechain'] as const),
];

/**
 * What MetaMask calls networks that viem names otherwise, as in the list that it offers (13.36): both stand on one
 * screen.
 */
const NAMES_IN_METAMASK: Readonly<Partial<Record<number, string>>> = {
  10: 'OP',
  56: 'BNB Chain',
  324: 'zkSync Era',
  1329: 'Sei',
  42161: 'Arbitrum',
  59144: 'Linea',
};

/**
 * What viem says about them, under MetaMask's names, by chain id, in ascending order. The explorer has no slash at the
 * end, so that `/tx/…` can be appended.
 */
export const networks = (): [bigint, KnownNetwork][] =>
  NETWORKS.map((key): chains.Chain => chains[key])
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, name, nativeCurrency: { symbol, decimals }, blockExplorers }) => {
      // Keystead writes every network's coin with 18 decimals.
      if (decimals !== 18) throw new Error(`${name}: the coin must have 18 decimals`);
      const explorerUrl = blockExplorers?.default.url.replace(/\/$/u, '');
      return [
        BigInt(id),
        { name: NAMES_IN_METAMASK[id] ?? name, symbol, ...(explorerUrl !== undefined && { explorerUrl }) },
      ];
    });
