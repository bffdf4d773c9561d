import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

import type { UseOfKey } from '../keys/use';
import { Tally, TallyHistogram } from '../runtime/tallies';

/** The metrics of the JSON-RPC part. Labels never contain keys, and only existing methods. */
export type RpcMetrics = {
  /** Counted for each request, so as plain numbers; the labels are in the order in which they are listed. */
  requests: Tally<'network' | 'method' | 'transport' | 'outcome'>;
  seconds: TallyHistogram<'network' | 'method'>;
  credits: Tally<'network' | 'method'>;
  refunds: Tally<'network' | 'method'>;
  refused: Counter<'reason'>;
  /** By name and ID of keys, of {@link LABELLED_KEYS} at most; the others share one label. */
  keyCredits: Tally<'key'>;
  keyRefusals: Tally<'key' | 'reason'>;
  uncles: Tally<'network' | 'source'>;
  upstream: Histogram<'network' | 'target' | 'host' | 'outcome'>;
  unproven: Counter<'network' | 'node' | 'flaw'>;
  nodeUp: Gauge<'network' | 'node'>;
  nodeCircuit: Gauge<'network' | 'node'>;
  nodeHead: Gauge<'network' | 'node'>;
  subscriptions: Gauge<'network' | 'kind'>;
  notifications: Counter<'network' | 'kind'>;
  sockets: Gauge<'network'>;
  archiveBlocks: Gauge<'network'>;
  archiveUncles: Gauge<'network'>;
  archiveIndexBytes: Gauge<'network'>;
};

/** The HTTP statuses of most refusals. */
const REASONS = ['400', '401', '402', '403', '404', '413', '429', '500', '503'];

const BUCKETS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15];

/** Keys with labels of their own, in one process. */
const LABELLED_KEYS = 200;

/** @returns Adds what keys have used to the metrics. */
export function meterKeys({ keyCredits, keyRefusals }: RpcMetrics): (use: UseOfKey) => void {
  const labels = new Map<string, string>();
  /** Refunds that came after their charges were metered: a counter must not fall. */
  const owed = new Map<string, number>();
  return ({ user: { id, name = '' }, counts }) => {
    if (!labels.has(id) && labels.size < LABELLED_KEYS) labels.set(id, `${name} ${id.slice(0, 8)}`.trim());
    const label = labels.get(id) ?? 'others';
    let credits = owed.get(label) ?? 0;
    for (const amount of counts.credits.values()) credits += amount;
    owed.set(label, Math.min(0, credits));
    keyCredits.add(Math.max(0, credits), label);
    for (const [reason, amount] of counts.refused) keyRefusals.add(amount, label, reason);
  };
}

/**
 * @param registry - Where the metrics are registered.
 * @returns The metrics of the JSON-RPC part.
 */
export function rpcMetrics(registry: Registry): RpcMetrics {
  const registers = [registry];
  const options = <Label extends string>(name: string, help: string, labelNames: Label[]) => ({
    name: `keystead_rpc_${name}`,
    help,
    labelNames,
    registers,
  });
  const refused = new Counter(
    options('refused_total', 'HTTP requests and WebSockets rejected, by reason.', ['reason']),
  );
  // A counter that begins with its first refusal would hide it from Prometheus, which compares two values.
  for (const reason of REASONS) refused.inc({ reason }, 0);
  return {
    requests: new Tally(
      options('requests_total', 'Requests answered, by outcome: ok or the error code.', [
        'network',
        'method',
        'transport',
        'outcome',
      ]),
    ),
    seconds: new TallyHistogram({
      ...options('request_seconds', 'Time to answer a request.', ['network', 'method']),
      buckets: BUCKETS,
    }),
    credits: new Tally(options('credits_total', 'Credits charged.', ['network', 'method'])),
    refunds: new Tally(options('refunded_credits_total', 'Credits refunded.', ['network', 'method'])),
    refused,
    keyCredits: new Tally(options('key_credits_total', 'Credits of each key, less refunds.', ['key'])),
    keyRefusals: new Tally(
      options('key_refusals_total', 'Refused requests of each key, by reason.', ['key', 'reason']),
    ),
    uncles: new Tally(
      options('uncle_lookups_total', 'Uncle lookups, by source: archive, rule or upstream.', ['network', 'source']),
    ),
    upstream: new Histogram({
      ...options('upstream_seconds', 'Response time of nodes and bundlers.', ['network', 'target', 'host', 'outcome']),
      buckets: BUCKETS,
    }),
    unproven: new Counter(
      options(
        'unproven_answers_total',
        "Answers about uncles that a node did not prove, by what is wrong: the block's shape, number, hash, parent or uncles, or what other nodes say (nodes).",
        ['network', 'node', 'flaw'],
      ),
    ),
    nodeUp: new Gauge(options('node_up', 'Whether the last check of a node succeeded.', ['network', 'node'])),
    nodeCircuit: new Gauge(
      options('node_circuit', "A node's circuit breaker: 0 closed, 0.5 being tried, 1 open.", ['network', 'node']),
    ),
    nodeHead: new Gauge(options('node_head_block', "A node's latest block, at its last check.", ['network', 'node'])),
    subscriptions: new Gauge(options('subscriptions', 'Subscriptions of clients.', ['network', 'kind'])),
    notifications: new Counter(options('notifications_total', 'Notifications sent to clients.', ['network', 'kind'])),
    sockets: new Gauge(options('sockets', 'WebSocket connections.', ['network'])),
    archiveBlocks: new Gauge(options('archive_blocks', 'Blocks the archive covers.', ['network'])),
    archiveUncles: new Gauge(options('archive_uncles', 'Uncles in the archive.', ['network'])),
    archiveIndexBytes: new Gauge(options('archive_index_bytes', 'Memory of the archive index.', ['network'])),
  };
}
