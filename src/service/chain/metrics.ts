import { Counter, Gauge, Histogram, type CounterConfiguration, type Registry } from 'prom-client';

import { distributed, type DistributionOf } from './distribution';

/** One value of a counter. */
export type Count = { value: number };

/**
 * @returns A new value for these labels, for the caller to keep; a second call with the same labels makes a second one.
 */
export type CountOf<Label extends string> = (labels: Record<Label, string>) => Count;

/** The metrics of the JSON-RPC part. Labels never contain keys, and only existing methods. */
export type RpcMetrics = {
  requests: CountOf<'network' | 'method' | 'transport' | 'outcome'>;
  seconds: DistributionOf<'network' | 'method'>;
  credits: CountOf<'network' | 'method'>;
  refunds: CountOf<'network' | 'method'>;
  refused: Counter<'reason'>;
  uncles: CountOf<'network' | 'source'>;
  upstream: Histogram<'network' | 'target' | 'host' | 'outcome'>;
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

const BUCKETS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15];

/**
 * A counter for the hot path. Its values are summed only when the metrics are read: finding a value by its labels takes
 * prom-client half a microsecond each time.
 */
function counted<Label extends string>(options: CounterConfiguration<Label>): CountOf<Label> {
  const counts: { labels: Record<Label, string>; count: Count }[] = [];
  new Counter({
    ...options,
    collect() {
      this.reset();
      for (const { labels, count } of counts) if (count.value > 0) this.inc(labels, count.value);
    },
  });
  return (labels) => {
    const count = { value: 0 };
    counts.push({ labels, count });
    return count;
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
  return {
    requests: counted(
      options('requests_total', 'Requests answered, by outcome: ok or the error code.', [
        'network',
        'method',
        'transport',
        'outcome',
      ]),
    ),
    seconds: distributed(registry, {
      name: 'keystead_rpc_request_seconds',
      help: 'Time to answer a request.',
      bounds: BUCKETS,
    }),
    credits: counted(options('credits_total', 'Credits charged.', ['network', 'method'])),
    refunds: counted(options('refunded_credits_total', 'Credits refunded.', ['network', 'method'])),
    refused: new Counter(options('refused_total', 'HTTP requests and WebSockets rejected, by reason.', ['reason'])),
    uncles: counted(
      options('uncle_lookups_total', 'Uncle lookups, by source: archive, rule or upstream.', ['network', 'source']),
    ),
    upstream: new Histogram({
      ...options('upstream_seconds', 'Response time of nodes and bundlers.', ['network', 'target', 'host', 'outcome']),
      buckets: BUCKETS,
    }),
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
