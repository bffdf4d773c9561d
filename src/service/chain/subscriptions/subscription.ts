import { INVALID_PARAMS, invalidParams, RpcError } from '../errors';

/** What a client can subscribe to. */
export const SUBSCRIPTION_KINDS = ['newHeads', 'logs', 'newPendingTransactions'] as const;

export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number];

/** A valid subscription. Clients whose subscriptions have the same parameters share one at the node. */
export type Subscription = {
  kind: SubscriptionKind;
  /** JSON of the parameters, in one form: two filters that select the same logs in the same way are the same text. */
  params: string;
};

/** A log has no more. */
const MAX_TOPICS = 4;
/** A filter is kept as long as its subscription: some 350 addresses, or 220 topics. */
const MAX_FILTER = 16_384;

const ADDRESS = { pattern: /^0x[0-9a-f]{40}$/iu, rule: 'must be an address of 20 bytes in hex, or a list of them' };
const TOPIC = { pattern: /^0x[0-9a-f]{64}$/iu, rule: 'must be a topic of 32 bytes in hex, a list of them, or null' };

const wrong = (why: string): RpcError => invalidParams(`invalid argument 1: ${why}`);

const isKind = (value: unknown): value is SubscriptionKind => SUBSCRIPTION_KINDS.some((kind) => kind === value);

/** @returns One value or several in lower case, sorted and each once; null for none, which selects all. */
function alternatives(value: unknown, { pattern, rule }: typeof ADDRESS, what: string): string[] | null {
  if (value === undefined || value === null) return null;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const texts = list.map((item) => {
    if (typeof item !== 'string' || !pattern.test(item)) throw wrong(`${what}: ${rule}`);
    return item.toLowerCase();
  });
  return texts.length === 0 ? null : [...new Set(texts)].sort();
}

const isLatest = (value: unknown) => value === undefined || value === null || value === 'latest';

/** From the first block on means new logs, too: go-ethereum's client always sends that. */
const isFirst = (value: unknown) => value === '0x0' || value === 'earliest';

/** The filter of `logs`: `address` and `topics`, as in `eth_getLogs`. */
function logFilter(value: unknown): object {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong('the filter must be an object');
  const { address, topics, fromBlock, toBlock, ...others } = value as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) throw wrong(`${JSON.stringify(other.slice(0, 64))}: a filter has only address and topics`);
  // New logs only: any other range of blocks would promise others.
  if (!(isLatest(fromBlock) || isFirst(fromBlock)) || !isLatest(toBlock))
    throw wrong('fromBlock, toBlock: only new logs are sent');
  if (topics !== undefined && topics !== null && !Array.isArray(topics)) throw wrong('topics: must be a list');
  const positions: unknown[] = Array.isArray(topics) ? topics : [];
  if (positions.length > MAX_TOPICS) throw wrong(`topics: at most ${MAX_TOPICS} positions`);
  const addresses = alternatives(address, ADDRESS, 'address');
  return {
    ...(addresses && { address: addresses }),
    ...(positions.length > 0 && {
      topics: positions.map((topic, i) => alternatives(topic, TOPIC, `topics[${i}]`)),
    }),
  };
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
  const most = kind === 'newHeads' ? 1 : 2;
  if (more.length > 0 || params.length > most) throw invalidParams(`too many arguments, want at most ${most}`);
  if (kind === 'newHeads') return { kind, params: JSON.stringify([kind]) };
  if (kind === 'logs') {
    const text = JSON.stringify([kind, logFilter(option)]);
    if (text.length > MAX_FILTER) throw wrong(`the filter is longer than ${MAX_FILTER} characters`);
    return { kind, params: text };
  }
  if (option !== undefined && option !== null && typeof option !== 'boolean')
    throw wrong('must be true, for whole transactions, or false');
  return { kind, params: JSON.stringify(option === true ? [kind, true] : [kind]) };
}
