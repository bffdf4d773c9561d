import { INVALID_PARAMS, invalidParams, RpcError } from '../errors';
import { readLogFilter } from '../filters/log-filter';
import { blockParameter } from '../params';

/** What a client can subscribe to. */
export const SUBSCRIPTION_KINDS = ['newHeads', 'logs', 'newPendingTransactions', 'syncing'] as const;

export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number];

/** A valid subscription. Clients whose subscriptions have the same parameters share one at the node. */
export type Subscription = {
  kind: SubscriptionKind;
  /** JSON of the parameters, in one form: two filters that select the same logs in the same way are the same text. */
  params: string;
  /** The first block whose logs are sent; all new ones if absent. */
  from?: bigint;
};

const wrong = (why: string): RpcError => invalidParams(`invalid argument 1: ${why}`);

const isKind = (value: unknown): value is SubscriptionKind => SUBSCRIPTION_KINDS.some((kind) => kind === value);

const isLatest = (value: unknown) => value === undefined || value === null || value === 'latest';

/**
 * New logs only are sent: as in go-ethereum, a range that goes on to the latest block means them, wherever it begins.
 *
 * @returns The block that it begins with, if that may be a future one.
 */
function firstBlock(fromBlock: unknown, toBlock: unknown): bigint | undefined {
  if (!isLatest(toBlock)) throw wrong('toBlock: only new logs are sent, so it must be absent or latest');
  if (isLatest(fromBlock)) return undefined;
  const rule = 'fromBlock: must be a block number in hex, earliest, latest, safe or finalized';
  if (fromBlock === 'pending') throw wrong(rule);
  try {
    const block = blockParameter(fromBlock, 1);
    return 'number' in block && block.number > 0n ? block.number : undefined;
  } catch {
    throw wrong(rule);
  }
}

/**
 * Reads the parameters of `eth_subscribe`.
 *
 * @param params - As sent.
 * @returns The subscription.
 * @throws {RpcError} -32602.
 */
export function parseSubscription(params: unknown): Subscription {
  if (!Array.isArray(params)) throw invalidParams('non-array args');
  const [kind, option, ...more] = params as unknown[];
  if (kind === undefined) throw invalidParams('missing value for required argument 0');
  if (!isKind(kind)) {
    const name = typeof kind === 'string' ? ` ${JSON.stringify(kind.slice(0, 64))}` : '';
    const why = `unknown subscription${name}: must be one of ${SUBSCRIPTION_KINDS.join(', ')}`;
    throw new RpcError(INVALID_PARAMS, `invalid argument 0: ${why}`);
  }
  const most = kind === 'newHeads' || kind === 'syncing' ? 1 : 2;
  if (more.length > 0 || params.length > most) throw invalidParams(`too many arguments, want at most ${most}`);
  if (most === 1) return { kind, params: JSON.stringify([kind]) };
  if (kind === 'logs') {
    const { selects, fromBlock, toBlock } = readLogFilter(option, wrong);
    const from = firstBlock(fromBlock, toBlock);
    return { kind, params: JSON.stringify([kind, selects]), ...(from !== undefined && { from }) };
  }
  if (option !== undefined && option !== null && typeof option !== 'boolean')
    throw wrong('must be true, for whole transactions, or false');
  return { kind, params: JSON.stringify(option === true ? [kind, true] : [kind]) };
}
