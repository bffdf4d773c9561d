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
  eth_uninstallFilter: 5,
};

/** Built-in prices of one notification, by kind of subscription. */
export const DEFAULT_NOTIFICATION_PRICES = { newHeads: 50, logs: 20, newPendingTransactions: 5, syncing: 5 } as const;

/** What requests and notifications cost, in credits. */
export type Prices = {
  of(method: string): number;
  /** What a request costs beside its method, by its length in bytes. */
  ofLength(bytes: number): number;
  notifications: Readonly<Record<SubscriptionKind, number>>;
  invalid: number;
  daily: number;
};

/** Bytes of a request that are included in the price of its method. */
const INCLUDED_BYTES = 64 * 1024;

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
  further64KiB: number;
}): Prices {
  const table = new Map(Object.entries({ ...DEFAULT_PRICES, ...config.prices }));
  return {
    of: (method) => table.get(method) ?? config.other,
    ofLength: (bytes) => Math.max(0, Math.ceil(bytes / INCLUDED_BYTES) - 1) * config.further64KiB,
    notifications: config.notifications,
    invalid: config.invalid,
    daily: config.daily,
  };
}
