/** The facts that Keystead knows about a network without asking anyone. */
export type KnownNetwork = { readonly name: string; readonly symbol: string; readonly explorerUrl?: string };

/**
 * The main public networks and their testnets: chain ID, symbol, explorer, name. Made by `npm run make:networks` from
 * viem's list of chains and MetaMask's names of them. Rows of text take less room in the bundle than objects.
 */
const ROWS = `1 ETH etherscan.io Ethereum
10 ETH optimistic.etherscan.io OP
14 FLR flare-explorer.flare.network Flare Mainnet
19 SGB songbird-explorer.flare.network Songbird Canary-Network
25 CRO explorer.cronos.org Cronos Mainnet
30 RBTC explorer.rsk.co Rootstock Mainnet
31 tRBTC explorer.testnet.rootstock.io Rootstock Testnet
40 TLOS www.teloscan.io Telos
50 XDC xdcscan.com XDC Network
56 BNB bscscan.com BNB Chain
97 tBNB testnet.bscscan.com BNB Smart Chain Testnet
100 XDAI gnosisscan.io Gnosis
122 FUSE explorer.fuse.io Fuse
130 ETH uniscan.xyz Unichain
137 POL polygonscan.com Polygon
143 MON monadscan.com Monad
146 S sonicscan.org Sonic
169 ETH pacific-explorer.manta.network Manta Pacific Mainnet
196 OKB www.oklink.com/xlayer X Layer Mainnet
204 BNB opbnb.bscscan.com opBNB
232 GHO explorer.lens.xyz Lens
250 FTM ftmscan.com Fantom
252 FRAX fraxscan.com Fraxtal
288 ETH bobascan.com Boba Network
300 ETH sepolia.explorer.zksync.io ZKsync Sepolia Testnet
314 FIL filfox.info/en Filecoin Mainnet
324 ETH explorer.zksync.io zkSync Era
338 tCRO explorer.cronos.org/testnet Cronos Testnet
360 ETH shapescan.xyz Shape
369 PLS ipfs.scan.pulsechain.com PulseChain
480 ETH worldscan.org World Chain
592 ASTR astar.subscan.io Astar
747 FLOW evm.flowscan.io Flow EVM Mainnet
919 ETH sepolia.explorer.mode.network Mode Testnet
999 HYPE hyperevmscan.io HyperEVM
1088 METIS explorer.metis.io Metis
1116 CORE scan.coredao.org Core Dao
1135 ETH blockscout.lisk.com Lisk
1284 GLMR moonscan.io Moonbeam
1285 MOVR moonriver.moonscan.io Moonriver
1287 DEV moonbase.moonscan.io Moonbase Alpha
1301 ETH sepolia.uniscan.xyz Unichain Sepolia
1328 SEI testnet.seiscan.io Sei Testnet
1329 SEI seiscan.io Sei
1868 ETH soneium.blockscout.com Soneium Mainnet
1923 ETH explorer.swellnetwork.io Swellchain
1946 ETH soneium-minato.blockscout.com Soneium Minato Testnet
2020 RON app.roninchain.com Ronin
2221 KAVA testnet.kavascan.com Kava EVM Testnet
2222 KAVA kavascan.com Kava EVM
2741 ETH abscan.org Abstract
2818 ETH explorer.morphl2.io Morph
4202 ETH sepolia-blockscout.lisk.com Lisk Sepolia
4326 ETH mega.etherscan.io MegaETH
4689 IOTX iotexscan.io IoTeX
4801 ETH sepolia.worldscan.org World Chain Sepolia
5000 MNT mantlescan.xyz Mantle
5003 MNT explorer.sepolia.mantle.xyz Mantle Sepolia Testnet
5330 ETH explorer.superseed.xyz Superseed
5611 tBNB testnet.opbnbscan.com opBNB Testnet
8217 KAIA kaiascan.io Kaia
8453 ETH basescan.org Base
9745 XPL plasmascan.to Plasma
10143 MON testnet.monadexplorer.com Monad Testnet
10200 xDAI blockscout.chiadochain.net Gnosis Chiado
11011 ETH explorer-sepolia.shape.network Shape Sepolia Testnet
11124 ETH sepolia.abscan.org Abstract Testnet
13371 IMX explorer.immutable.com Immutable zkEVM
33111 APE explorer.curtis.apechain.com Curtis
33139 APE apescan.io ApeChain
34443 ETH modescan.io Mode Mainnet
42161 ETH arbiscan.io Arbitrum
42170 ETH nova.arbiscan.io Arbitrum Nova
42220 CELO celoscan.io Celo
42793 XTZ explorer.etherlink.com Etherlink
43111 ETH explorer.hemi.xyz Hemi
43113 AVAX testnet.snowtrace.io Avalanche Fuji
43114 AVAX snowtrace.io Avalanche
48900 ETH explorer.zircuit.com Zircuit Mainnet
57073 ETH explorer.inkonchain.com Ink
59141 ETH sepolia.lineascan.build Linea Sepolia Testnet
59144 ETH lineascan.build Linea
59902 tMETIS sepolia-explorer.metisdevops.link Metis Sepolia
60808 ETH explorer.gobob.xyz BOB
80002 POL amoy.polygonscan.com Polygon Amoy
80069 BERA testnet.berascan.com Berachain Bepolia
80094 BERA berascan.com Berachain
81457 ETH blastscan.io Blast
84532 ETH sepolia.basescan.org Base Sepolia
88888 CHZ scan.chiliz.com Chiliz Chain
167000 ETH taikoscan.io Taiko Mainnet
167013 ETH hoodi.taikoscan.io Taiko Hoodi
421614 ETH sepolia.arbiscan.io Arbitrum Sepolia
534351 ETH sepolia.scrollscan.com Scroll Sepolia
534352 ETH scrollscan.com Scroll
560048 ETH hoodi.etherscan.io Hoodi
747474 ETH katanascan.com Katana
763373 ETH explorer-sepolia.inkonchain.com Ink Sepolia
808813 ETH bob-sepolia.explorer.gobob.xyz BOB Sepolia
3441006 ETH pacific-explorer.sepolia-testnet.manta.network Manta Pacific Sepolia Testnet
7777777 ETH explorer.zora.energy Zora
11142220 S-CELO celo-sepolia.blockscout.com Celo Sepolia Testnet
11155111 ETH sepolia.etherscan.io Sepolia
11155420 ETH optimism-sepolia.blockscout.com OP Sepolia
168587773 ETH sepolia.blastscan.io Blast Sepolia
999999999 ETH sepolia.explorer.zora.energy Zora Sepolia
1313161554 ETH aurorascan.dev Aurora
1666600000 ONE explorer.harmony.one Harmony One`;

/** The networks of the table, by chain id. */
export const KNOWN_NETWORKS: ReadonlyMap<bigint, KnownNetwork> = new Map(
  ROWS.split('\n').map((row): [bigint, KnownNetwork] => {
    const [chainId = '', symbol = '', explorer = '', ...name] = row.split(' ');
    return [BigInt(chainId), { name: name.join(' '), symbol, explorerUrl: `https://${explorer}` }];
  }),
);
