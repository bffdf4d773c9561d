import type { SubscriptionKind } from '../subscriptions/subscription';

/** Built-in prices by method, in credits; all other methods share one price. */
export const DEFAULT_PRICES: Readonly<Record<string, number>> = {
  eth_getUncleByBlockNumberAndIndex: 150,
  eth_getUncleByBlockHashAndIndex: 150,
  eth_getUncleCountByBlockNumber: 150,
  eth_getUncleCountByBlockHash: 150,
  eth_chainId: 5,
  net_version: 5,
  web3_clientVersion: 5,
  eth_subscribe: 5,
  eth_unsubscribe: 5,
};

/** Built-in prices of one notification, by kind of subscription. */
export const DEFAULT_NOTIFICATION_PRICES = { newHeads: 50, logs: 20, newPendingTransactions: 5 } as const;

/** What requests and notifications cost, in credits. */
export type Prices = {
  of(method: string): number;
  notifications: Readonly<Record<SubscriptionKind, number>>;
  invalid: number;
  daily: number;
};

/**
 * @param config - The `credits` section: its `prices` override the built-in table method by method.
 * @returns The price list.
 */
export function priceList(config: {
  daily: number;
  prices: Record<string, number>;
  other: number;
  notifications: Readonly<Record<SubscriptionKind, number>>;
  invalid: number;
}): Prices {
  const table = new Map(Object.entries({ ...DEFAULT_PRICES, ...config.prices }));
  const { notifications, invalid, daily } = config;
  return { of: (method) => table.get(method) ?? config.other, notifications, invalid, daily };
}
