/** Built-in prices by method, in credits; all other methods share one price. */
export const DEFAULT_PRICES: Readonly<Record<string, number>> = {
  eth_getUncleByBlockNumberAndIndex: 150,
  eth_getUncleByBlockHashAndIndex: 150,
  eth_getUncleCountByBlockNumber: 150,
  eth_getUncleCountByBlockHash: 150,
  eth_chainId: 5,
  net_version: 5,
  web3_clientVersion: 5,
};

/** What requests cost, in credits. */
export type Prices = { of(method: string): number; invalid: number; daily: number };

/**
 * @param config - The `credits` section: its `prices` override the built-in table method by method.
 * @returns The price list.
 */
export function priceList(config: {
  daily: number;
  prices: Record<string, number>;
  other: number;
  invalid: number;
}): Prices {
  const table = new Map(Object.entries({ ...DEFAULT_PRICES, ...config.prices }));
  return { of: (method) => table.get(method) ?? config.other, invalid: config.invalid, daily: config.daily };
}
