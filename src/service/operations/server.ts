import type { Logger } from 'pino';
import { Gauge } from 'prom-client';

import { countConnections, createListener, endConnections, listen, stopListening } from '../admission/listener';
import type { RunningPart } from '../part';
import { meterConnections } from '../runtime/connection-metrics';
import type { JoinedRegistry } from '../runtime/joined-registry';
import { singleFlight } from '../runtime/single-flight';
import { handleOperations, type PartState } from './handler';

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** Monitoring needs a few connections. */
export const CONNECTIONS = 256;
const PIPELINED = 16;
const REQUEST_MS = 30_000;

export type OperationsOptions = {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** How many connections there may be; {@link CONNECTIONS} if absent. */
  readonly connections?: number;
  readonly metrics: JoinedRegistry;
  readonly log: Logger;
  /** The parts that are configured, by name; undefined until one has started. */
  readonly parts: Readonly<Record<string, () => RunningPart | undefined>>;
};

/** What operators ask: liveness, readiness of each part, metrics. It listens before the parts start. */
export async function startOperations({
  host,
  port,
  connections = CONNECTIONS,
  metrics,
  log,
  parts,
}: OperationsOptions): Promise<RunningPart> {
  const isLocal = LOOPBACK.has(host);
  let isStopping = false;
  // One look at a time, for everyone who asks: some write to the disk.
  const stateOf = (name: string, part: () => RunningPart | undefined) =>
    singleFlight(async (): Promise<PartState> => {
      const running = part();
      if (isStopping) return { problems: ['the service is stopping'] };
      if (running === undefined) return { problems: [`${name} has not started yet`] };
      return { problems: await running.problems(), details: running.details?.() };
    });
  const operations = {
    metrics: singleFlight(() => metrics.metrics()),
    contentType: metrics.contentType,
    parts: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, stateOf(name, part)])),
  };
  new Gauge({
    name: 'keystead_ready',
    help: 'Whether a part of the service can answer requests: 1 or 0.',
    labelNames: ['part'],
    registers: [metrics],
    async collect() {
      const states = Object.entries(operations.parts).map(async ([part, state]) => {
        const isReady = await state().then(
          ({ problems }) => problems.length === 0,
          () => false,
        );
        this.set({ part }, isReady ? 1 : 0);
      });
      await Promise.all(states);
    },
  });
  const server = createListener(
    undefined,
    { connections, pipelined: PIPELINED, requestMs: REQUEST_MS, answerMs: REQUEST_MS },
    (request, response) => {
      handleOperations(request, response, operations, isLocal).catch((error: unknown) => {
        log.error({ err: error }, 'unexpected error');
        response.destroy();
      });
    },
  );
  meterConnections(metrics, 'operations', () => countConnections(server));
  const bound = await listen(server, host, port, 'rpc.operations.host, rpc.operations.port');
  return {
    addresses: [{ label: 'Operations', url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}` }],
    problems: () => Promise.resolve([]),
    leave: () => {
      isStopping = true;
    },
    stop: async () => {
      isStopping = true;
      const closed = stopListening(server);
      endConnections(server);
      await closed;
    },
  };
}
