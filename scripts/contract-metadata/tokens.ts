import { type Token } from '../../src/core/decode/metadata/contract-metadata';
import { contractKey } from '../../src/core/decode/metadata/contract-metadata';
import { type Source, withIncludes } from './source';

/** Tokens on many chains: stablecoins, and the coins of other chains. Source: their contracts. */
const TOKENS: readonly (readonly [chainId: number, address: `0x${string}`, symbol: string, decimals: number])[] = [
  [1, '0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0', 'wstETH', 18],
  [1, '0xae78736cd615f374d3085123a210448e74fc6393', 'rETH', 18],
  [1, '0xbe9895146f7af43049ca1c1ae358b0541ea49704', 'cbETH', 18],
  [1, '0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf', 'cbBTC', 8],
  [1, '0x18084fba666a33d37592fa2633fd49a74dd93a88', 'tBTC', 18],
  [1, '0x6c3ea9036406852006290770bedfcaba0e23a0e8', 'PYUSD', 6],
  [1, '0x83f20f44975d03b1b09e64809b757c47f942beea', 'sDAI', 18],
  [1, '0xdc035d45d973e3ec169d2276ddab16f1e407384f', 'USDS', 18],
  [1, '0x853d955acef822db058eb8505911ed77f175b99e', 'FRAX', 18],
  [1, '0x5f98805a4e8be255a32880fdec7f6728c6568ba0', 'LUSD', 18],
  [1, '0x40d16fc0246ad3160ccc09b8d0d3a2cd28ae6c2f', 'GHO', 18],
  [1, '0xf939e0a03fb07f59a73314e73794be0e57ac1b4e', 'crvUSD', 18],
  [1, '0x4c9edd5852cd905f086c759e8383e09bff1e68b3', 'USDe', 18],
  [1, '0x1abaea1f7c830bd89acc67ec4af516284b1bc33c', 'EURC', 6],
  [1, '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984', 'UNI', 18],
  [1, '0x514910771af9ca656af840dff83e8264ecf986ca', 'LINK', 18],
  [1, '0xc18360217d8f7ab5e7c516566761ea12ce7f9d72', 'ENS', 18],
  [1, '0x7fc66500c84a76ad7e9c93437bfc5ac33e2ddae9', 'AAVE', 18],
  [1, '0x9f8f72aa9304c8b593d555f12ef6589cc3a579a2', 'MKR', 18],
  [1, '0xc00e94cb662c3520282e6f5717214004a7f26888', 'COMP', 18],
  [1, '0xd533a949740bb3306d119cc777fa900ba034cd52', 'CRV', 18],
  [1, '0x5a98fcbea516cf06857215779fd812ca3bef1b32', 'LDO', 18],
  [1, '0x6b3595068778dd592e39a122f4f5a5cf09c90fe2', 'SUSHI', 18],
  [1, '0x111111111117dc0aa78b770fa6a738034120c302', '1INCH', 18],
  [1, '0xc944e90c64b2c07662a292be6244bdf05cda44a7', 'GRT', 18],
  [1, '0x7d1afa7b718fb893db30a3abc0cfc608aacfebb0', 'MATIC', 18],
  [1, '0xa0b73e1ff0b80914ab6fe0444e65848c4c34450b', 'CRO', 8],
  [1, '0x0000000000085d4780b73119b644ae5ecd22b376', 'TUSD', 18],
  [1, '0x4fabb145d64652a948d72533023f6e7a623c7c53', 'BUSD', 18],
  [1, '0x8e870d67f660d95d5be530380d0ec0bd388289e1', 'USDP', 18],
  [1, '0x056fd409e1d7a124bd7017459dfea2f387b6d5cd', 'GUSD', 2],
  [1, '0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce', 'SHIB', 18],
  [1, '0x6982508145454ce325ddbe47a25d4ec3d2311933', 'PEPE', 18],
  [10, '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58', 'USDT', 6],
  [10, '0x7f5c764cbc14f9669b88837ca1490cca17c31607', 'USDC.e', 6],
  [10, '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1', 'DAI', 18],
  [10, '0x68f180fcce6836688e9084f035309e29bf0a2095', 'WBTC', 8],
  [10, '0x4200000000000000000000000000000000000042', 'OP', 18],
  [10, '0x1f32b1c2345538c0c6f582fcb022739c4a194ebb', 'wstETH', 18],
  [56, '0x55d398326f99059ff775485246999027b3197955', 'USDT', 18],
  [56, '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d', 'USDC', 18],
  [56, '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c', 'WBNB', 18],
  [56, '0x1af3f329e8be154074d8769d1ffa4ee058b1dbc3', 'DAI', 18],
  [56, '0x2170ed0880ac9a755fd29b2688956bd959f933f8', 'ETH', 18],
  [100, '0xe91d153e0b41518a2ce8dd3d7944fa863463a97d', 'WXDAI', 18],
  [100, '0xddafbb505ad214d7b80b1f830fccc89b60fb7a83', 'USDC', 6],
  [137, '0x2791bca1f2de4661ed88a30c99a7a9449aa84174', 'USDC.e', 6],
  [137, '0xc2132d05d31c914a87c6611c10748aeb04b58e8f', 'USDT', 6],
  [137, '0x8f3cf7ad23cd3cadbd9735aff958023239c6a063', 'DAI', 18],
  [137, '0x7ceb23fd6bc0add59e62ac25578270cff1b9f619', 'WETH', 18],
  [137, '0x1bfd67037b42cf73acf2047067bd4f2c47d9bfd6', 'WBTC', 8],
  [137, '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270', 'WPOL', 18],
  [8453, '0x50c5725949a6f0c72e6c4a641f24049a917db0cb', 'DAI', 18],
  [8453, '0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf', 'cbBTC', 8],
  [8453, '0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca', 'USDbC', 6],
  [8453, '0x2ae3f1ec7f1f5012cfeab0185bfc7aa3cf0dec22', 'cbETH', 18],
  [8453, '0xc1cba3fcea344f92d9239c08c0568f6f2f0ee452', 'wstETH', 18],
  [8453, '0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42', 'EURC', 6],
  [42161, '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8', 'USDC.e', 6],
  [42161, '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9', 'USDT0', 6],
  [42161, '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1', 'DAI', 18],
  [42161, '0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f', 'WBTC', 8],
  [42161, '0x912ce59144191c1204e64559fe8253a0e49e6548', 'ARB', 18],
  [42161, '0x5979d7b546e38e414f7e9822514be443a4800529', 'wstETH', 18],
  [43114, '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e', 'USDC', 6],
  [43114, '0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7', 'USDT', 6],
  [43114, '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7', 'WAVAX', 18],
  [59144, '0x176211869ca2b568f2a7d4ee941e073a821ee1ff', 'USDC', 6],
  [59144, '0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f', 'WETH', 18],
  [11155111, '0x1c7d4b196cb0c7b01d743fbc6116a902379c7238', 'USDC', 6],
];

/** Tokens described in descriptors. */
function* describedTokens(files: Readonly<Record<string, Source>>): Generator<[string, Token]> {
  for (const name of Object.keys(files)) {
    const { context, metadata } = withIncludes(files, name);
    const { ticker: symbol, decimals } = metadata?.token ?? {};
    if (symbol === undefined || decimals === undefined) continue;
    for (const { chainId, address } of context?.contract?.deployments ?? [])
      yield [contractKey(BigInt(chainId), address as `0x${string}`), { symbol, decimals }];
  }
}

/**
 * Every token known at build time, by "chain:address".
 *
 * @throws If two sources disagree on a token's decimals.
 */
export function compileTokens(files: Readonly<Record<string, Source>>): Record<string, Token> {
  const tokens = new Map<string, Token>();
  const add = (key: string, token: Token): void => {
    const known = tokens.get(key);
    if (known !== undefined && known.decimals !== token.decimals)
      throw new Error(`${key}: sources disagree on the decimals`);
    if (known === undefined) tokens.set(key, token);
  };
  for (const [chainId, address, symbol, decimals] of TOKENS)
    add(contractKey(BigInt(chainId), address), { symbol, decimals });
  for (const [key, token] of describedTokens(files)) add(key, token);
  return Object.fromEntries([...tokens].sort(([a], [b]) => (a < b ? -1 : 1)));
}
